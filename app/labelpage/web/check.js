// Labels that look wrong, most suspicious first, each with its reasons.

import { announce, toast } from '/assets/tell.js';
import { button, count, el, percent } from '/assets/dom.js';
import { chip } from '/assets/chips.js';
import { get } from '/assets/api.js';
import { load } from '/assets/ahead.js';
import { Latest } from '/assets/turns.js';
import { answered, none } from '/assets/several.js';
import { renderItem } from '/assets/item.js';

const shown = 50;

export class CheckView {
  name = 'check';
  title = 'Check';
  #all = [];
  #settled = new Set(); // rows decided on in this session
  #at = 0;
  #loaded = new Latest(); // or decided: what is loaded moves nothing then

  constructor(app) {
    this.app = app;
    this.heading = el('h2', {}, 'Suspicious labels');
    this.hint = el('p', { class: 'hint' });
    this.list = el('ol', { class: 'suspects' });
    this.element = el('section', { class: 'check-view', 'aria-label': 'Check' },
      el('header', { class: 'view-head' }, el('div', {}, this.heading, this.hint)), this.list);
    // News may bring the first suspicious labels, but moves nothing under the eyes.
    app.store.addEventListener('state', () => { if (app.view === this && !this.#all.length) this.#load(); });
  }

  get commands() {
    return [
      this.app.numbers ? { keys: ['Enter', '0–9'], text: 'Type the right number', run: () => this.app.askNumber() }
        : { keys: ['Enter'], text: 'Change the label to what is suggested', run: () => this.#decide(this.#current?.suggested) },
      { keys: ['s', 'Space'], text: 'Keep the label as it is', run: () => this.#decide(this.#current?.given) },
      { keys: ['u'], text: 'Unsure: one cannot tell', run: () => this.#decide(null, 'unsure') },
      { keys: ['n'], text: this.app.numbers ? 'It has no number' : 'Not one of these classes', run: () => (this.app.several ? this.#decide(none(this.app.store)) : this.#decide(null, 'none')) },
      { keys: ['ArrowUp', 'ArrowDown'], text: 'Move', run: (e) => this.#focus(this.#at + (e.key === 'ArrowUp' ? -1 : 1)), repeat: true },
      { keys: ['shift+o'], text: 'Open this point alone', run: () => this.#current && this.app.openRow(this.#current.row) },
    ];
  }

  enter() {
    this.#load();
  }

  restart() {
    this.#settled.clear();
  }

  changed(rows) {
    rows.forEach((row) => this.#settled.delete(row));
    this.#load();
  }

  aim() {
    const suspect = this.#current;
    const said = (id) => (this.app.several ? answered(suspect.given, id, !suspect.given.has.includes(id)) : id);
    return (id) => { if (this.#all.includes(suspect)) this.#decide(said(id), 'label', suspect); };
  }

  get #current() {
    return this.#all[this.#at];
  }

  async #load() {
    const wanted = this.#loaded.begin();
    this.element.setAttribute('aria-busy', 'true');
    try {
      const { labels } = await get('/api/suspicious');
      const open = (labels ?? []).filter((l) => !this.#settled.has(l.row)).slice(0, shown);
      const points = new Map((await load(open.map((l) => l.row), this.app.person)).map((p) => [p.row, p]));
      if (!wanted()) return;
      this.#all = open.filter((l) => points.has(l.row)).map((l) => ({ ...l, point: points.get(l.row) }));
      this.#show();
      if (this.app.view === this) this.#focus(0);
    } catch (failure) {
      if (wanted()) toast(failure.message, 'bad');
    } finally {
      if (wanted()) this.element.removeAttribute('aria-busy');
    }
  }

  #show() {
    this.hint.textContent = this.#all.length
      ? `${count(this.#all.length, 'label')} contradicted by the points around, or by the model trained without it.`
      : this.app.store.state.model.decides ? 'No label looks wrong at the moment. What does will show here as you go on.'
        : `Nothing can be said yet. ${this.app.store.undecided}`;
    this.list.replaceChildren(...this.#all.map((suspect, i) => this.#row(suspect, i)));
  }

  #row(suspect, i) {
    const { store } = this.app;
    const { point, given, suggested } = suspect;
    return el('li', { class: 'suspect', tabindex: '-1', 'data-row': point.row, onfocusin: () => { this.#at = i; } },
      renderItem(point, store.state.set, true),
      el('div', { class: 'case' },
        el('p', { class: 'turn' }, chip(store, given), el('span', { role: 'img', 'aria-label': 'looks like' }, '→'), chip(store, suggested), el('span', { class: 'faint' }, point.name)),
        el('p', { class: 'why' }, suspect.why.replaceAll(' %', '\u00a0%')),
        el('p', { class: 'faint' }, `Suspicion ${percent(suspect.suspicion)}`)),
      el('div', { class: 'row-actions' },
        this.app.numbers ? button('Change', '⏎', () => { this.#at = i; this.app.askNumber(); })
          : button(`Change to ${store.className(suggested)}`, '⏎', () => { this.#at = i; this.#decide(suggested); }),
        button('Keep', 's', () => { this.#at = i; this.#decide(given); })));
  }

  #focus(to) {
    this.#at = Math.max(0, Math.min(this.#all.length - 1, to));
    this.list.children[this.#at]?.focus();
  }

  // decide labels the point again; the same label confirms it.
  #decide(id, kind = 'label', suspect = this.#current) {
    if (!suspect || kind === 'label' && (id === null || id === undefined)) return;
    this.#loaded.begin();
    this.element.removeAttribute('aria-busy');
    this.#settled.add(suspect.row);
    this.app.record([{ kind, row: suspect.row, class: id }], () => toast('Saved'));
    announce(`${suspect.point.name}: ${kind === 'label' ? this.app.store.className(id) : kind}`);
    this.#all.splice(this.#all.indexOf(suspect), 1);
    this.#show();
    this.#focus(this.#at);
  }
}
