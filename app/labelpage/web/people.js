// The people who label, their agreement, and the differences to settle between
// them.

import { announce, toast } from '/assets/tell.js';
import { count, el, keycap, number, percent } from '/assets/dom.js';
import { chip } from '/assets/chips.js';
import { short } from '/assets/number.js';
import { get } from '/assets/api.js';
import { load } from '/assets/ahead.js';
import { oneAtATime } from '/assets/turns.js';
import { renderItem } from '/assets/item.js';

const shown = 50;

export class PeopleView {
  name = 'people';
  title = 'People';
  #differences = [];
  #at = 0;
  #settled = new Set(); // rows that the program may not have known as settled

  constructor(app) {
    this.app = app;
    this.tables = el('div', { class: 'people-tables' });
    this.hint = el('p', { class: 'hint' });
    this.list = el('ol', { class: 'suspects' });
    this.element = el('section', { class: 'people-view', 'aria-label': 'People' }, this.tables,
      el('header', { class: 'view-head' }, el('div', {}, el('h2', {}, 'Differences to settle'), this.hint)), this.list);
    app.store.addEventListener('state', ({ detail: { state, before } }) => {
      if (app.view === this && before && state.version !== before.version) this.#load();
    });
  }

  get commands() {
    return [
      ...(this.app.several ? [{ keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], text: 'The label of the first, the second, … holds', run: (e) => this.#takeOf(Number(e.key)) }] : []),
      { keys: ['ArrowUp', 'ArrowDown'], text: this.app.several ? 'Move' : `Move; a ${this.app.numbers ? 'number' : 'class key'} settles the difference`, run: (e) => this.#focus(this.#at + (e.key === 'ArrowUp' ? -1 : 1)), repeat: true },
      { keys: ['shift+o'], text: 'Open this point alone', run: () => this.#current && this.app.openRow(this.#current.row) },
    ];
  }

  enter() {
    this.#load();
  }

  changed() {
    this.#load();
  }

  // take settles the difference by the label of somebody, who are numbered from 1.
  #takeOf(number) {
    const difference = this.#current;
    const said = difference?.labels[number - 1];
    if (said) this.#settle(difference, said.class);
  }

  aim() {
    if (this.app.several) return null;
    const difference = this.#current;
    return (id) => { if (this.#differences.includes(difference)) this.#settle(difference, id); };
  }

  #settle(difference, id) {
    this.#settled.add(difference.row);
    this.app.record([{ kind: 'adjudicate', row: difference.row, class: id }], () => toast('Settled'));
    announce(`${difference.point.name} settled as ${this.app.store.className(id)}`);
    this.#differences.splice(this.#differences.indexOf(difference), 1);
    this.#show();
    this.#focus(this.#at);
  }

  get #current() {
    return this.#differences[this.#at];
  }

  // load asks how things are.
  #load = oneAtATime(async () => {
    this.element.setAttribute('aria-busy', 'true');
    try {
      this.#take(await this.#ask());
    } catch (failure) {
      toast(failure.message, 'bad');
    } finally {
      this.element.removeAttribute('aria-busy');
    }
  });

  async #ask() {
    this.#settled = new Set(this.app.queue.rows());
    const { pairs, differences } = await get('/api/people');
    const open = differences.filter((d) => !d.adjudicated).slice(0, shown);
    const points = new Map((await load(open.map((d) => d.row), this.app.person)).map((p) => [p.row, p]));
    return { pairs, differences: open.filter((d) => points.has(d.row)).map((d) => ({ ...d, point: points.get(d.row) })) };
  }

  // take shows the answer, without the differences settled since the request.
  // The focus stays with its point.
  #take({ pairs, differences }) {
    const row = this.#current?.row;
    this.#differences = differences.filter((d) => !this.#settled.has(d.row));
    this.#showTables(pairs);
    this.#show();
    if (this.app.view === this && !document.querySelector('dialog')) this.#focus(Math.max(0, this.#differences.findIndex((d) => d.row === row)));
  }

  #showTables(pairs) {
    const { people, set: { ordered } } = this.app.store.state;
    this.tables.replaceChildren(
      table('Labels of each', ['Name', 'Labels'], people.map((p) => [p.name, number(p.labels)])),
      pairs.length && this.app.numbers ? table('Agreement of two', ['Between', 'Both labelled', 'The same', 'Apart in the mean'], pairs.map((p) => [
        `${p.a} and ${p.b}`, number(p.both), number(p.agreed), short(p.apart ?? 0),
      ])) : pairs.length ? table('Agreement of two', ['Between', 'Both labelled', 'Agreed', ordered ? 'Weighted κ' : 'Cohen’s κ'], pairs.map((p) => [
        `${p.a} and ${p.b}`, number(p.both), p.both ? percent(p.agreed / p.both) : '–', p.both ? kappa(p.kappa) : '–',
      ])) : el('p', { class: 'hint' }, 'Agreement shows here once two people have labelled the same points. A second person opens this page in another browser, or changes the name at the top.'));
  }

  #show() {
    this.hint.textContent = this.#differences.length
      ? `${this.app.store.points(this.#differences.length)} that people label differently. ${this.app.numbers ? 'A number, typed,' : this.app.several ? 'The number of a person' : 'A class key'} says what holds.`
      : 'None: nobody contradicts anybody.';
    const { store } = this.app;
    this.list.replaceChildren(...this.#differences.map(({ point, labels, apart }, i) => el('li', {
      class: 'suspect', tabindex: '-1', 'data-row': point.row, onfocusin: () => { this.#at = i; }, onclick: () => this.#focus(i),
    }, renderItem(point, store.state.set, true),
    el('div', { class: 'case' }, el('p', { class: 'faint' }, apart ? `${point.name}: ${store.state.set.ordered ? count(apart, 'rank') : short(apart)} apart` : point.name),
      labels.map(({ person, class: id }, k) => el('p', { class: 'said' }, this.app.several ? keycap(k + 1) : null, el('span', {}, person), chip(store, id)))))));
  }

  #focus(to) {
    this.#at = Math.max(0, Math.min(this.#differences.length - 1, to));
    this.list.children[this.#at]?.focus();
  }
}

// kappa with the word that is usual for it (Landis and Koch).
function kappa(k) {
  if (!Number.isFinite(k)) return '–';
  const words = [[0.8, 'almost perfect'], [0.6, 'substantial'], [0.4, 'moderate'], [0.2, 'fair'], [0, 'slight']];
  const word = words.find(([from]) => k > from)?.[1] ?? 'none';
  return `${k.toFixed(2)}, ${word}`;
}

function table(caption, head, rows) {
  return el('table', {}, el('caption', {}, caption),
    el('thead', {}, el('tr', {}, head.map((h) => el('th', { scope: 'col' }, h)))),
    el('tbody', {}, rows.map(([first, ...others]) => el('tr', {}, el('th', { scope: 'row' }, first), others.map((o) => el('td', { class: 'figure' }, o))))));
}
