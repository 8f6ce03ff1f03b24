// Searching and filtering: results as tiles, to label one or many at once.

import { announce, toast } from '/assets/tell.js';
import { button, count, el, keycap } from '/assets/dom.js';
import { get } from '/assets/api.js';
import { load } from '/assets/ahead.js';
import { answered } from '/assets/several.js';
import { stateChip } from '/assets/chips.js';
import { Latest } from '/assets/turns.js';
import { Tiles } from '/assets/tiles.js';

const pageSize = 60;
const typingPause = 180;

const states = [['', 'Any state'], ['unlabelled', 'Unlabelled'], ['label', 'Labelled'], ['unsure', 'Unsure'],
  ['none', 'None of these'], ['skip', 'Skipped'], ['comment', 'With a comment'], ['different', 'Labelled differently']];
const sorts = [['row', 'In order'], ['uncertain', 'Most uncertain'], ['suspicious', 'Most suspicious']];

export class FindView {
  name = 'find';
  title = 'Find';
  #total = 0;
  #asked = new Latest();
  #placed = new Latest();
  #labelled = new Set(); // rows whose tiles may say what held before
  #filters = {}; // of the points shown
  #stale = true;
  #pause = 0; // since the last letter, where it is not over
  #searching = false;

  constructor(app) {
    this.app = app;
    const again = () => this.#search();
    this.query = el('input', { type: 'search', id: 'query', placeholder: 'Words, a name, a row', 'aria-label': 'Search', autocomplete: 'off' });
    this.query.addEventListener('input', () => {
      clearTimeout(this.#pause);
      this.#pause = setTimeout(again, typingPause);
    });
    this.query.addEventListener('keydown', (e) => {
      if (e.key === 'Enter' || e.key === 'ArrowDown') {
        e.preventDefault();
        if (this.#pause) this.#search();
        this.tiles.focus();
      }
    });
    this.class = el('select', { 'aria-label': 'Labelled as', onchange: again });
    this.prediction = el('select', { 'aria-label': 'Predicted as', onchange: again });
    this.state = el('select', { 'aria-label': 'State', onchange: again }, options(states));
    this.sort = el('select', { 'aria-label': 'Order', onchange: again }, options(sorts));
    this.class.hidden = this.prediction.hidden = app.numbers;
    this.total = el('p', { class: 'hint', role: 'status' });
    this.all = button('Select all', 'Ctrl A', () => this.#selectAll());
    this.more = button('More', '', () => this.#more());
    this.tiles = new Tiles({
      name: 'Points found',
      set: () => app.store.state.set,
      caption: (point) => stateChip(app.store, point) ?? el('span', { class: 'name faint' }, point.name),
      opened: (point) => app.openRow(point.row),
      changed: () => this.#tell(),
    });
    this.element = el('section', { class: 'find-view', 'aria-label': 'Find' },
      el('form', { class: 'filters', role: 'search', onsubmit: (e) => e.preventDefault() },
        el('div', { class: 'query' }, this.query, keycap('/')), this.class, this.prediction, this.state, this.sort),
      el('div', { class: 'found-head' }, this.total, el('div', { class: 'head-actions' }, button('Select', 'x', () => this.#select()), this.all, button('Open', '⏎', () => this.#open()))),
      this.tiles.element, this.more);
    app.store.addEventListener('state', () => {
      this.#stale = true;
      if (app.view === this) this.#showClasses();
    });
  }

  get commands() {
    return [
      { keys: ['Enter'], text: 'Open this point alone', run: () => this.#open() },
      { keys: ['x', 'Space'], text: 'Select or unselect; a click with Ctrl or Shift does too', run: () => this.#select() },
      { keys: ['ctrl+a'], text: 'Select all that are shown, or none', run: () => this.#selectAll() },
      { keys: ['/'], text: 'To the search field', run: () => this.query.focus() },
      { keys: ['Escape'], text: 'From the search field to the points', run: () => this.tiles.focus() },
      ...this.tiles.commands,
    ];
  }

  enter() {
    this.#showClasses();
    if (this.#stale) this.#search();
    this.query.focus();
  }

  restart() {
    this.#stale = true;
  }

  changed() {
    this.#search();
  }

  // aim answers what labels the points in hand. While others are looked for
  // there are none.
  aim() {
    const { targets } = this.tiles;
    if (this.#pause || this.#searching) return () => toast('The points are still being looked for');
    return (id) => { if (targets.length) this.#label(targets, id); };
  }

  // label gives points a class; where they may have several, it switches the class, and leaves what was said of others.
  #label(points, id) {
    const rows = points.map((p) => p.row);
    const said = (p) => p.class ?? p.settled ?? {};
    const on = this.app.several && !points.every((p) => said(p).has?.includes(id));
    this.app.record(points.map((p) => ({ kind: 'label', row: p.row, class: this.app.several ? answered(said(p), id, on) : id })), () => {
      toast(`${count(rows.length, 'label')} saved`);
      rows.forEach((row) => this.#labelled.add(row));
      if (this.#searching) this.#search(); // what comes may have been found before
      else this.#place();
    });
    this.tiles.unselect();
    announce(`${this.app.store.points(rows.length)}: ${this.app.several && !on ? 'not ' : ''}${this.app.store.className(id)}`);
  }

  // place has the tiles of points labelled here say so.
  async #place() {
    const wanted = this.#placed.begin();
    const points = await load([...this.#labelled], this.app.person).catch(() => null);
    if (!wanted() || !points) return;
    this.#labelled.clear();
    this.tiles.place(points);
  }

  #showClasses() {
    const { classes } = this.app.store.state;
    for (const [select, any] of [[this.class, 'Any label'], [this.prediction, 'Any prediction']]) {
      const { value } = select;
      select.replaceChildren(...options([['', any], ...classes.map((c) => [c.id, c.name])]));
      select.value = classes.some((c) => String(c.id) === value) ? value : '';
    }
  }

  async #search() {
    clearTimeout(this.#pause);
    this.#pause = 0;
    this.#stale = false;
    const filters = {
      q: this.query.value.trim(), class: this.class.value, prediction: this.prediction.value, state: this.state.value,
      sort: this.sort.value, person: this.app.person,
    };
    await this.#fetch(filters, 0, (points) => {
      this.#filters = filters;
      this.tiles.show(points);
    });
  }

  // more loads more of the present results, unless another search has begun.
  async #more() {
    if (this.#pause || this.#searching) return;
    const at = this.tiles.points.length;
    await this.#fetch(this.#filters, at, (points) => {
      this.tiles.add(points);
      this.tiles.focus(at);
    });
  }

  async #fetch(filters, offset, show) {
    const wanted = this.#asked.begin();
    this.#searching = true;
    try {
      const { total, rows } = await get('/api/search', { ...filters, offset, limit: pageSize });
      const points = await load(rows ?? [], filters.person);
      if (!wanted()) return;
      this.#total = total;
      show(points);
      this.more.hidden = this.tiles.points.length >= total;
      this.#tell();
    } catch (failure) {
      if (!wanted()) return;
      this.#stale = true;
      toast(failure.message, 'bad');
    } finally {
      if (wanted()) this.#searching = false;
    }
  }

  #open() {
    const point = this.tiles.current;
    if (point) this.app.openRow(point.row);
  }

  #select() {
    this.tiles.select();
    this.tiles.focus();
  }

  #selectAll() {
    this.tiles.selectAll();
    this.tiles.focus();
  }

  #tell() {
    const { size } = this.tiles.selected;
    this.total.textContent = !this.#total ? 'No point is like that. Widen the filters.'
      : `${this.app.store.points(this.#total)}${size ? `, ${size} selected: a ${this.app.numbers ? 'number labels' : this.app.several ? 'class key switches it for' : 'class labels'} them` : ''}`;
    this.all.firstChild.textContent = size && size === this.tiles.points.length ? 'Select none' : 'Select all';
  }
}

function options(all) {
  return all.map(([value, text]) => el('option', { value }, text));
}
