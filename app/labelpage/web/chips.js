// Small signs of classes: a coloured shape and a name.

import { el } from '/assets/dom.js';
import { paint } from '/assets/colours.js';

export function swatch(store, id) {
  return paint(el('span', { class: 'swatch', 'aria-hidden': 'true' }), store.rank(id));
}

// chip names a class by its id.
export function chip(store, id, text = '') {
  return el('span', { class: 'chip' }, swatch(store, id), el('span', { class: 'name' }, text || store.className(id)));
}

const states = { unsure: 'unsure', none: 'none of these', skip: 'skipped' };

// stateChip tells what somebody said of a point, or nothing.
export function stateChip(store, point) {
  if (point.class !== null && point.class !== undefined) return chip(store, point.class);
  return states[point.state] ? el('span', { class: 'chip plain' }, states[point.state]) : null;
}
