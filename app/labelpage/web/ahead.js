// Points to come, fetched and drawn before they are wanted.

import { get } from '/assets/api.js';
import { Latest, oneAtATime } from '/assets/turns.js';
import { renderItem } from '/assets/item.js';

const kept = 16;
const refillBelow = 12;
const untouched = 3; // points that come next whatever the machine learns

// load fetches points by their rows, in the order of the rows.
export async function load(rows, person, predictions = false) {
  if (!rows.length) return [];
  const { points } = await get('/api/points', { rows: rows.join(','), person, predictions: predictions ? 1 : 0 });
  const byRow = new Map(points.map((p) => [p.row, { ...p, name: p.name || `row ${p.row}` }]));
  return rows.map((row) => byRow.get(row)).filter(Boolean);
}

// entry is a point ready to be shown: its picture is decoded.
export async function entry(point, set, { reason = '', blind = false } = {}) {
  const element = renderItem(point, set);
  const picture = element.querySelector('img');
  if (picture) await picture.decode().catch(() => {});
  return { row: point.row, point, element, reason, blind };
}

export class Ahead extends EventTarget {
  #entries = [];
  #left = new Set(); // rows taken or answered since points were asked for last
  #keep = kept; // of the entries, when they are next
  #mode = new Latest();
  #wanted = this.#mode.begin();
  #ask = oneAtATime(() => this.#fetch());
  #retry = 0;
  mode = 'suggest';
  done = false;

  // app has person(), set() and avoided(), the rows to leave out.
  constructor(app) {
    super();
    this.app = app;
  }

  // take gives the next point at once, or null where none is ready yet.
  take() {
    const avoided = new Set(this.app.avoided());
    this.#entries = this.#entries.filter((e) => !avoided.has(e.row));
    const entry = this.#entries.shift() ?? null;
    if (entry) this.#left.add(entry.row);
    if (this.#entries.length < refillBelow) this.#fill();
    return entry;
  }

  // leave keeps rows from coming that were answered, in whatever view.
  leave(rows) {
    for (const row of rows) this.#left.add(row);
    this.#entries = this.#entries.filter((e) => !this.#left.has(e.row));
  }

  get rows() {
    return this.#entries.map((e) => e.row);
  }

  // renew asks again for all but the very next: the machine has learned.
  renew() {
    this.#fill(untouched);
  }

  // restart forgets the fetched points, for another mode or another person.
  restart(mode = this.mode) {
    this.mode = mode;
    this.done = false;
    this.#entries = [];
    this.#left.clear();
    this.#wanted = this.#mode.begin();
    this.#fill();
  }

  async #fill(keep = kept) {
    this.#keep = Math.min(this.#keep, keep);
    try {
      await this.#ask();
    } catch {
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => { if (this.#entries.length < refillBelow) this.#fill(); }, 1000);
    }
  }

  async #fetch() {
    const { app } = this;
    const wanted = this.#wanted;
    const keep = this.#keep;
    this.#keep = kept;
    const staying = this.#entries.slice(0, keep);
    const missing = kept - staying.length;
    if (missing <= 0) return;
    const not = [...new Set([...app.avoided(), ...this.#left, ...staying.map((e) => e.row)])];
    this.#left.clear();
    const { points } = await get('/api/next', { person: app.person(), mode: this.mode, n: missing, not: not.slice(-300).join(',') });
    if (!wanted()) return;
    // What is drawn already is not fetched again, but may have another reason.
    const drawn = new Map(this.#entries.map((e) => [e.row, e]));
    const loaded = await load(points.map((p) => p.row).filter((row) => !drawn.has(row)), app.person());
    for (const fresh of await Promise.all(loaded.map((p) => entry(p, app.set())))) drawn.set(fresh.row, fresh);
    if (!wanted()) return;
    const coming = points.filter((p) => drawn.has(p.row) && !this.#left.has(p.row)).map((p) => ({ ...drawn.get(p.row), reason: p.reason, blind: p.blind }));
    const rows = new Set(coming.map((e) => e.row));
    this.#entries = [...this.#entries.slice(0, keep).filter((e) => !rows.has(e.row)), ...coming];
    this.done = !this.#entries.length;
    this.dispatchEvent(new Event('filled'));
  }
}
