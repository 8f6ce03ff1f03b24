// The point under the pointer, shown beside it.

import { el } from '/assets/dom.js';
import { chip } from '/assets/chips.js';
import { Latest } from '/assets/turns.js';
import { load } from '/assets/ahead.js';
import { renderItem } from '/assets/item.js';

const pause = 60; // milliseconds that the pointer rests
const remembered = 400;

export class Hover {
  #row = 0;
  #timer = 0;
  #shown = new Latest();
  #points = new Map();

  // known(row) returns the class ids of a point's label and prediction.
  constructor(app, known) {
    this.app = app;
    this.known = known;
    this.element = el('div', { class: 'hover', hidden: true });
  }

  // show presents a row (0: none) near a place; stay makes a tap's stay open
  // with a button that opens the point.
  show(row, left, top, stay = false) {
    if (row === this.#row && !stay) return;
    this.#row = row;
    clearTimeout(this.#timer);
    if (!row) return this.hide();
    const wanted = this.#shown.begin();
    this.#timer = setTimeout(() => this.#present(row, left, top, stay, wanted), stay ? 0 : pause);
  }

  hide() {
    this.#row = 0;
    this.#shown.begin();
    clearTimeout(this.#timer);
    this.element.hidden = true;
  }

  async #present(row, left, top, stay, wanted) {
    const numbers = this.app.numbers || this.app.several; // which points have with them, and so are asked for each time
    const point = this.#points.get(row) ?? (await load([row], this.app.person, numbers).catch(() => []))[0];
    if (!point || !wanted()) return;
    if (this.#points.size > remembered) this.#points.clear();
    if (!numbers) this.#points.set(row, point);
    const { label, prediction } = numbers ? { label: point.settled ?? undefined, prediction: point.foretold?.value ?? (point.expected ? { has: point.expected.has, lacks: [] } : undefined) } : this.known(row);
    const says = [label !== undefined ? el('p', {}, 'labelled ', chip(this.app.store, label)) : null,
      label === undefined && prediction !== undefined ? el('p', {}, 'predicted ', chip(this.app.store, prediction)) : null];
    this.element.replaceChildren(renderItem(point, this.app.store.state.set, true), el('p', { class: 'name' }, point.name), ...says.filter(Boolean),
      ...stay ? [el('button', { type: 'button', class: 'primary', onclick: () => this.app.openRow(row) }, 'Label this point')] : []);
    this.element.hidden = false;
    this.element.classList.toggle('staying', stay);
    const room = this.element.parentElement;
    const { offsetWidth, offsetHeight } = this.element;
    this.element.style.left = `${Math.max(8, Math.min(left + 16, room.clientWidth - offsetWidth - 8))}px`;
    this.element.style.top = `${Math.max(8, top + 16 + offsetHeight > room.clientHeight ? top - offsetHeight - 12 : top + 16)}px`;
  }
}
