// A batch: similar points that are predicted alike, to confirm or correct.

import { announce, toast } from '/assets/tell.js';
import { button, count, el, keycap, number } from '/assets/dom.js';
import { chip, swatch } from '/assets/chips.js';
import { get } from '/assets/api.js';
import { load } from '/assets/ahead.js';
import { Latest } from '/assets/turns.js';
import { Tiles } from '/assets/tiles.js';

const size = 24;
const fewest = 2;

export class BatchView {
  name = 'batch';
  title = 'Batch';
  #given = new Map(); // row → class id, or null where it is left out
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
      marked: (point) => (this.#given.get(point.row) === null ? 'left-out' : this.#given.get(point.row) !== this.#predicted ? 'changed' : ''),
      opened: (point) => app.openRow(point.row),
    });
    // Where there was no batch, one comes with what the model learns.
    app.store.addEventListener('state', ({ detail: { state, before } }) => {
      const news = before && (state.model.version !== before.model.version || state.set.rows !== before.set.rows);
      if (news && app.view === this && !this.tiles.points.length) this.#next();
    });
    this.heading = el('h2', {});
    this.hint = el('p', { class: 'hint' });
    this.leaveOutButton = button('Leave out', 'x', () => this.#leaveOut());
    this.confirming = el('span', {}, 'Confirm');
    this.confirmButton = el('button', { type: 'button', class: 'primary', onclick: () => this.#confirm() }, this.confirming, keycap('⏎'));
    this.element = el('section', { class: 'batch-view', 'aria-label': 'Batch' },
      el('header', { class: 'view-head' }, el('div', {}, this.heading, this.hint),
        el('div', { class: 'head-actions' }, this.leaveOutButton, button('Another batch', 's', () => this.#next()), this.confirmButton)),
      this.tiles.element);
  }

  get commands() {
    return [
      { keys: ['Enter'], text: 'Confirm all that are not left out', run: () => this.#confirm() },
      { keys: ['x', 'Space'], text: 'Leave this one out, or take it in again', run: () => this.#leaveOut() },
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

  // done ends what is sought, whether it has come or not.
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
    for (const { row, blind } of points) {
      const batch = blind ? null : await this.#around(row);
      if (batch) return batch;
    }
    return null;
  }

  // around is the batch of points like a row, or null. What the program did not
  // know to be labelled when it found them, it knows when they are loaded, or
  // it was not sent before.
  async #around(row) {
    this.#tried.push(row);
    const { rows, class: predicted } = await get('/api/similar', { row, n: size });
    const unsent = new Set(this.app.queue.rows());
    const alike = (rows ?? []).filter((r) => !unsent.has(r));
    if (predicted === null || alike.length < fewest) return null;
    const points = (await load(alike, this.app.person)).filter((p) => p.settled === null && !p.state);
    return points.length < fewest ? null : { points, predicted };
  }

  #show({ points, predicted }) {
    this.#predicted = predicted;
    this.#given = new Map(points.map((p) => [p.row, predicted]));
    this.heading.replaceChildren(`${count(points.length, 'point')} that look like `, chip(this.app.store, predicted));
    this.hint.textContent = 'Correct one by its class, or leave it out.';
    this.tiles.show(points);
    this.#tell();
    if (this.app.view === this) {
      this.tiles.focus();
      announce(`${count(points.length, 'point')} predicted ${this.app.store.className(predicted)}. Enter confirms all.`);
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
    return id === null ? el('span', { class: 'chip plain' }, 'left out')
      : [swatch(this.app.store, id), el('span', { class: 'name' }, this.app.store.className(id))];
  }

  // tell says how many Enter would label.
  #tell() {
    const taken = [...this.#given.values()].filter((id) => id !== null).length;
    this.confirming.textContent = taken ? `Confirm ${number(taken)}` : 'Confirm';
    this.confirmButton.disabled = !taken;
    this.leaveOutButton.disabled = !this.#given.size;
  }

  #leaveOut() {
    const point = this.tiles.current;
    if (!point) return;
    const out = this.#given.get(point.row) !== null;
    this.#given.set(point.row, out ? null : this.#predicted);
    this.tiles.update(point);
    this.#tell();
    this.tiles.focus();
    announce(`${point.name} ${out ? 'left out' : 'taken in'}`);
  }

  #confirm() {
    const events = [...this.#given].filter(([, id]) => id !== null).map(([row, id]) => ({ kind: 'label', row, class: id }));
    if (!events.length || this.#loading) return this.#next();
    this.app.record(events, () => toast(`${count(events.length, 'label')} saved`));
    announce(`${count(events.length, 'point')} labelled`);
    this.#given = new Map();
    this.#next();
  }
}
