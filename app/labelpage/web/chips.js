// Small signs of classes: a coloured shape and a name.

import { el } from '/assets/dom.js';
import { paint } from '/assets/colours.js';
import { several } from '/assets/several.js';

export function swatch(store, id) {
  return paint(el('span', { class: 'swatch', 'aria-hidden': 'true' }), store.rank(id));
}

const kept = 6; // letters at the end of a long name, which differ where those before are alike
const whole = 12; // letters that are never cut

// named writes the name of a class. Where there is no room for a long one, its middle is left out; it is
// read and hovered over as a whole.
export function named(text) {
  if (text.length <= whole) return el('span', { class: 'name' }, text);
  const letters = [...text];
  return el('span', { class: 'name halved', title: text },
    el('span', { class: 'unseen' }, text),
    el('span', { class: 'head', 'aria-hidden': 'true' }, letters.slice(0, -kept).join('')),
    el('span', { 'aria-hidden': 'true' }, letters.slice(-kept).join('')));
}

// chip names a class by its id, a number, or several classes.
export function chip(store, id) {
  if (typeof id === 'string') return el('span', { class: 'chip figure' }, id);
  if (typeof id === 'object') return several(store, id);
  return el('span', { class: 'chip' }, swatch(store, id), named(store.className(id)));
}

// stateName says an answer that is no label.
export function stateName(store, state) {
  return { unsure: 'unsure', none: store.state.set.numbers ? 'no number' : 'none of these', skip: 'skipped' }[state];
}

// stateChip tells what somebody said of a point, or nothing.
export function stateChip(store, point) {
  if (point.class !== null && point.class !== undefined) return chip(store, point.class);
  const name = stateName(store, point.state);
  return name ? el('span', { class: 'chip plain' }, name) : null;
}
