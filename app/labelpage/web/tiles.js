// A grid of points that the arrow keys walk through. Selected tiles are
// marked; what a tile says under its picture is up to the view.

import { el, fill } from '/assets/dom.js';
import { renderItem, spoken } from '/assets/item.js';

export class Tiles {
  points = [];
  selected = new Set(); // rows
  #at = 0;

  // caption(point) gives the line under a picture, marked(point) classes of
  // its style; opened(point) is called for a double click, changed() when
  // others are selected. Without it nothing is.
  constructor({ name, set, caption, opened = () => {}, marked = () => '', changed = null }) {
    Object.assign(this, { set, caption, opened, marked, changed });
    this.element = el('div', { class: 'tiles', role: 'listbox', 'aria-label': name, 'aria-multiselectable': String(changed !== null) });
    this.element.addEventListener('focusin', (e) => {
      const at = [...this.element.children].indexOf(e.target);
      if (at >= 0) this.#mark(at);
    });
  }

  // show puts other points in the place of those there are. The focus stays
  // with its point, or goes to the first.
  show(points) {
    const focused = this.element.contains(document.activeElement) ? this.current?.row : null;
    this.points = points;
    this.selected.clear();
    this.element.dataset.kind = this.set().kind;
    this.element.replaceChildren(...points.map((p) => this.#tile(p)));
    this.#mark(Math.max(0, points.findIndex((p) => p.row === focused)));
    if (focused !== null) this.focus();
  }

  add(points) {
    this.points.push(...points);
    this.element.append(...points.map((p) => this.#tile(p)));
  }

  get current() {
    return this.points[this.#at];
  }

  // targets are the selected points, or else the one with the focus.
  get targets() {
    return this.selected.size ? this.points.filter((p) => this.selected.has(p.row)) : this.points.slice(this.#at, this.#at + 1);
  }

  focus(at = this.#at) {
    this.element.children[Math.min(at, this.points.length - 1)]?.focus();
  }

  select() {
    const point = this.current;
    if (!point) return;
    if (!this.selected.delete(point.row)) this.selected.add(point.row);
    this.update(point);
    this.changed();
  }

  selectAll() {
    if (this.selected.size < this.points.length) this.#choose(this.points);
    else this.unselect();
  }

  unselect() {
    this.#choose([]);
  }

  #choose(points) {
    this.selected = new Set(points.map((p) => p.row));
    this.points.forEach((p) => this.update(p));
    this.changed();
  }

  // press is a click: with Ctrl it selects one, with Shift all from the last.
  #press(tile, e) {
    const from = this.#at;
    tile.focus();
    if (!this.changed || !(e.ctrlKey || e.metaKey || e.shiftKey)) return;
    if (!e.shiftKey) return this.select();
    const [first, last] = [Math.min(from, this.#at), Math.max(from, this.#at)];
    this.#choose(this.points.filter((p, i) => this.selected.has(p.row) || i >= first && i <= last));
  }

  // update redraws the text of a tile.
  update(point) {
    const tile = this.element.children[this.points.indexOf(point)];
    if (!tile) return;
    tile.setAttribute('aria-selected', String(this.selected.has(point.row)));
    tile.className = `tile ${this.marked(point)}`;
    fill(tile.lastChild, this.caption(point));
  }

  // place puts fresher points where those of the same rows are.
  place(points) {
    for (const point of points) {
      const at = this.points.findIndex((p) => p.row === point.row);
      if (at < 0) continue;
      this.points[at] = point;
      this.update(point);
    }
  }

  get commands() {
    return [
      { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], text: 'Move', run: (e) => this.#walk(e.key), repeat: true },
      { keys: ['Home', 'End'], text: 'First, last', run: (e) => this.focus(e.key === 'Home' ? 0 : this.points.length - 1) },
    ];
  }

  #walk(key) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns }[key];
    const to = this.#at + by;
    if (to >= 0 && to < this.points.length) this.focus(to);
    else this.focus();
  }

  get #columns() {
    const [first, ...others] = this.element.children;
    const below = others.findIndex((tile) => tile.offsetTop > first.offsetTop);
    return below < 0 ? this.points.length : below + 1;
  }

  #tile(point) {
    const tile = el('div', {
      class: `tile ${this.marked(point)}`, role: 'option', tabindex: '-1', 'aria-selected': 'false', 'data-row': point.row,
      title: point.name, ondblclick: () => this.opened(point), onclick: (e) => this.#press(tile, e),
    }, renderItem(point, this.set(), true), el('div', { class: 'says' }, this.caption(point)));
    if (!point.image) tile.firstChild.setAttribute('aria-label', spoken(point));
    return tile;
  }

  #mark(at) {
    this.#at = at;
    for (const [i, tile] of [...this.element.children].entries()) tile.tabIndex = i === at ? 0 : -1;
  }
}
