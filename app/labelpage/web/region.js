// A region of the map: what is in it, shown before anything is labelled.

import { announce, toast } from '/assets/tell.js';
import { button, count, el, fill, number } from '/assets/dom.js';
import { chip } from '/assets/chips.js';
import { load } from '/assets/ahead.js';
import { post } from '/assets/api.js';
import { renderItem } from '/assets/item.js';
import { Latest } from '/assets/turns.js';

const samples = { image: 12, vector: 6, text: 3, table: 2 };

export class Region {
  #asked = new Latest();
  content = null;
  labelled = new Set(); // rows of the content that have a label

  // shown(polygon) comes with the content, closed() ends it.
  constructor(app, { shown, closed }) {
    this.app = app;
    this.shown = shown;
    this.closed = closed;
    this.element = el('section', { class: 'region', 'aria-label': 'Selected region', hidden: true });
  }

  get open() {
    return !this.element.hidden;
  }

  // preview asks what lies within a polygon of [0,1]².
  async preview(polygon) {
    const wanted = this.#asked.begin();
    const unsent = this.app.queue.rows();
    this.content = null;
    this.element.hidden = false;
    this.element.replaceChildren(el('p', { class: 'hint' }, 'Counting…'));
    try {
      const content = await post('/api/region', { polygon });
      const points = await load((content.sample ?? []).slice(0, samples[this.app.store.state.set.kind]), this.app.person);
      if (!wanted()) return;
      this.content = content;
      this.labelled = new Set([...content.settled, ...unsent]);
      this.#show(points);
      this.shown(polygon);
    } catch (failure) {
      if (!wanted()) return;
      toast(failure.message, 'bad');
      this.close();
    }
  }

  close() {
    this.#asked.begin();
    this.content = null;
    this.element.hidden = true;
    this.element.replaceChildren();
    this.closed();
  }

  // label gives a class to the unlabelled points of the region, or to all its
  // points where the box for that is ticked. Nothing is labelled where another
  // region was selected after the class was asked for.
  label(id, content) {
    if (!content || content !== this.content) return;
    const rows = this.#rows();
    if (!rows.length) return toast('All points of this region have a label already.');
    const name = this.app.store.className(id);
    const given = this.app.several ? { has: [id], lacks: [] } : id;
    this.app.record(rows.map((row) => ({ kind: 'label', row, class: given })), () => toast(`${this.app.store.points(rows.length)} labelled ${name}. Undo takes back all of them.`));
    announce(`${this.app.store.points(rows.length)} labelled ${name}`);
    this.close();
  }

  #rows() {
    const rows = this.content?.rows ?? [];
    return this.over?.checked ? rows : rows.filter((row) => !this.labelled.has(row));
  }

  #show(points) {
    const { rows = [], total, labelled = {}, predicted = {} } = this.content;
    if (!total) {
      this.element.replaceChildren(el('p', {}, 'No point is in there.'), button('Close', 'Esc', () => this.close(), 'quiet'));
      return;
    }
    const already = rows.filter((row) => this.labelled.has(row)).length;
    const what = el('p', { class: 'what' });
    this.over = el('input', { type: 'checkbox', onchange: () => say() });
    const say = () => {
      what.textContent = `A ${this.app.numbers ? 'number, typed,' : 'class key'} labels ${this.app.store.points(this.#rows().length)}${this.app.several ? ' without a label: they have the class, and of others nothing is said' : ''}.`;
    };
    fill(this.element,
      el('header', {}, el('h2', {}, `${this.app.store.points(total)} selected`), button('Cancel', 'Esc', () => this.close(), 'quiet')),
      total > rows.length ? el('p', { class: 'hint' }, `Only ${number(rows.length)} of them can be labelled at once.`) : null,
      el('div', { class: 'samples', role: 'img', 'aria-label': `${points.length} of them` }, points.map((p) => renderItem(p, this.app.store.state.set, true))),
      what,
      already && !this.app.several ? el('label', { class: 'over-label' }, this.over, `Also those ${number(already)} that have a label`) : null,
      this.#counts('Predicted', predicted), this.#counts('Labelled', labelled));
    say();
    announce(`${this.app.store.points(total)} selected. ${what.textContent}`);
  }

  #counts(heading, counts) {
    const sorted = Object.entries(counts).filter(([, n]) => n).sort(([, a], [, b]) => b - a);
    if (!sorted.length) return null;
    return el('div', { class: 'region-counts' }, el('h3', {}, heading), el('ul', {}, sorted.slice(0, 8).map(([id, n]) => el('li', {}, chip(this.app.store, Number(id)), el('span', { class: 'figure' }, number(n)))),
      sorted.length > 8 ? el('li', { class: 'faint' }, `and ${count(sorted.length - 8, 'class', 'classes')} more`) : null));
  }
}
