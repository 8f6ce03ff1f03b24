// A batch: similar points that are predicted alike, to confirm or correct.

import { announce, toast } from '/assets/tell.js';
import { button, count, el, keycap, number } from '/assets/dom.js';
import { chip, named, swatch } from '/assets/chips.js';
import { get } from '/assets/api.js';
import { load } from '/assets/ahead.js';
import { Latest } from '/assets/turns.js';
import { Tiles } from '/assets/tiles.js';

const size = 24;
const fewest = 2;

export class BatchView {
  name = 'batch';
  title = 'Batch';
  #given = new Map(); // row → class id, or null where it has no tick
  #doubtful = new Set(); // rows without a tick from the beginning
  #predicted = null;
  #tried = [];
  #loading = false;
  #sought = new Latest();

  constructor(app) {
    this.app = app;
    this.tiles = new Tiles({
      name: 'Points predicted alike',
      set: () => app.store.state.set,
      caption: (point) => this.#caption(point),
      marked: (point) => this.#mark(point.row),
      opened: (point) => app.openRow(point.row),
    });
    // Where there was no batch, one may appear after the model has learnt.
    app.store.addEventListener('state', ({ detail: { state, before } }) => {
      const news = before && (state.model.version !== before.model.version || state.set.rows !== before.set.rows);
      if (news && app.view === this && !this.tiles.points.length) this.#next();
    });
    this.heading = el('h2', {});
    this.hint = el('p', { class: 'hint' });
    this.tickButton = button('Tick or untick', 'x', () => this.#tick());
    this.confirming = el('span', {}, 'Confirm');
    this.confirmButton = el('button', { type: 'button', class: 'primary', onclick: () => this.#confirm() }, this.confirming, keycap('⏎'));
    this.element = el('section', { class: 'batch-view', 'aria-label': 'Batch' },
      el('header', { class: 'view-head' }, el('div', {}, this.heading, this.hint),
        el('div', { class: 'head-actions' }, this.tickButton, button('Another batch', 's', () => this.#next()), this.confirmButton)),
      this.tiles.element);
  }

  get commands() {
    return [
      { keys: ['Enter'], text: 'Confirm all that have a tick', run: () => this.#confirm() },
      { keys: ['x', 'Space'], text: 'Tick this one, or take its tick away', run: () => this.#tick() },
      { keys: ['ctrl+a'], text: 'Tick all, or none', run: () => this.#tickAll() },
      { keys: ['s'], text: 'Another batch, without labelling this one', run: () => this.#next() },
      { keys: ['shift+o'], text: 'Open this point alone', run: () => this.tiles.current && this.app.openRow(this.tiles.current.row) },
      ...this.tiles.commands,
    ];
  }

  enter() {
    const row = this.app.views[0].neutral;
    if (!this.tiles.points.length) this.#next(row ? [row] : []);
    else this.tiles.focus();
  }

  restart() {
    this.#done();
    this.#empty();
  }

  changed() {
    this.#seek([this.tiles.points[0]?.row].filter(Boolean));
  }

  aim() {
    const point = this.tiles.current;
    return (id) => { if (this.tiles.points.includes(point)) this.#correct(point, id); };
  }

  #correct(point, id) {
    this.#given.set(point.row, id);
    this.tiles.update(point);
    this.#tell();
    this.tiles.focus();
    announce(`${point.name}: ${this.app.store.className(id)}`);
  }

  #next(rows = []) {
    if (!this.#loading) this.#seek(rows);
  }

  // seek shows a batch around the given rows, or around suggested ones.
  async #seek(rows) {
    const wanted = this.#sought.begin();
    this.#loading = true;
    this.element.setAttribute('aria-busy', 'true');
    try {
      const batch = await this.#find(rows);
      if (!wanted()) return;
      if (batch) this.#show(batch);
      else this.#empty();
    } catch (failure) {
      if (!wanted()) return;
      if (failure.status === 503) this.#empty('The model is starting: a batch comes by itself.');
      else toast(failure.message, 'bad');
    }
    this.#done();
  }

  // done ends the search for a batch, finished or not.
  #done() {
    this.#sought.begin();
    this.#loading = false;
    this.element.removeAttribute('aria-busy');
  }

  async #find(rows) {
    for (const row of rows) {
      const batch = await this.#around(row);
      if (batch) return batch;
    }
    const not = [...this.#tried, ...this.app.queue.rows(), ...this.app.views[0].coming].slice(-300).join(',');
    const { points } = await get('/api/next', { person: this.app.person, n: 6, mode: 'suggest', not });
    let first = null; // where in all of them few are sure
    for (const { row, blind } of points) {
      const batch = blind ? null : await this.#around(row);
      if (batch && batch.points.length >= batch.doubtful.size + fewest) return batch;
      first ??= batch;
    }
    return first;
  }

  // around is the batch of points like a row, or null. A label sent after the
  // search is known when the points are loaded; other labels are still unsent.
  async #around(row) {
    this.#tried.push(row);
    const { rows, sure, class: predicted } = await get('/api/similar', { row, n: size });
    const unsent = new Set(this.app.queue.rows());
    const alike = (rows ?? []).filter((r) => !unsent.has(r));
    if (predicted === null || alike.length < fewest) return null;
    const points = (await load(alike, this.app.person)).filter((p) => p.settled === null && !p.state);
    return points.length < fewest ? null : { points, predicted, doubtful: new Set(points.map((p) => p.row).filter((r) => rows.indexOf(r) >= sure)) };
  }

  // show has the surest first, and ticks those that are not doubtful.
  #show({ points, predicted, doubtful }) {
    this.#predicted = predicted;
    this.#doubtful = doubtful;
    this.#given = new Map(points.map((p) => [p.row, doubtful.has(p.row) ? null : predicted]));
    this.heading.replaceChildren(`${this.app.store.points(points.length)} that look like `, chip(this.app.store, predicted));
    this.hint.textContent = doubtful.size ? 'The surest come first, those in doubt have no tick. A class key corrects one.' : 'x takes a tick away, a class key corrects one.';
    this.tiles.show(points);
    this.#tell();
    if (this.app.view === this) {
      this.tiles.focus();
      announce(`${this.app.store.points(points.length)} predicted ${this.app.store.className(predicted)}. Enter confirms those with a tick.`);
    }
  }

  #empty(why = '') {
    this.tiles.show([]);
    this.heading.textContent = 'No batch at the moment';
    this.hint.textContent = why || (this.app.store.state.model.decides ? 'No unlabelled points near each other are predicted alike. Label some more one at a time.'
      : `Batches come with the first predictions. ${this.app.store.undecided}`);
    this.#given.clear();
    this.#tell();
  }

  #caption(point) {
    const id = this.#given.get(point.row);
    const box = el('span', { class: 'tick', 'aria-hidden': 'true', onclick: () => this.#tick(point) });
    return id === null ? [box, el('span', { class: 'faint' }, this.#doubtful.has(point.row) ? 'in doubt' : 'left out')]
      : [box, swatch(this.app.store, id), named(this.app.store.className(id))];
  }

  #mark(row) {
    const id = this.#given.get(row);
    if (id === null) return this.#doubtful.has(row) ? 'doubtful' : 'left-out';
    return id === this.#predicted ? 'ticked' : 'ticked changed';
  }

  // tell says how many Enter would label.
  #tell() {
    const taken = [...this.#given.values()].filter((id) => id !== null).length;
    this.confirming.textContent = taken ? `Confirm ${number(taken)}` : 'Confirm';
    this.confirmButton.disabled = !taken;
    this.tickButton.disabled = !this.#given.size;
  }

  #tick(point = this.tiles.current) {
    if (!point) return;
    const out = this.#given.get(point.row) !== null;
    this.#given.set(point.row, out ? null : this.#predicted);
    if (out) this.#doubtful.delete(point.row);
    this.tiles.update(point);
    this.#tell();
    this.tiles.focus();
    announce(`${point.name} ${out ? 'left out' : 'ticked'}`);
  }

  #tickAll() {
    const all = [...this.#given.values()].includes(null);
    for (const [row, id] of this.#given) this.#given.set(row, all ? id ?? this.#predicted : null);
    if (!all) this.#doubtful.clear();
    this.tiles.points.forEach((point) => this.tiles.update(point));
    this.#tell();
    announce(all ? 'All are ticked' : 'None is ticked');
  }

  #confirm() {
    const events = [...this.#given].filter(([, id]) => id !== null).map(([row, id]) => ({ kind: 'label', row, class: id }));
    if (!events.length || this.#loading) return this.#next();
    this.app.record(events, () => toast(`${count(events.length, 'label')} saved`));
    announce(`${this.app.store.points(events.length)} labelled`);
    this.#given = new Map();
    this.#next();
  }
}
