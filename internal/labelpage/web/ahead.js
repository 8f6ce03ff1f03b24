// Points to come, fetched and drawn before they are wanted.

import { get } from '/assets/api.js';
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
  #filling = null;
  #round = 0;
  mode = 'suggest';
  done = false;

  // app has person(), set() and avoided(), the rows that must not come.
  constructor(app) {
    super();
    this.app = app;
  }

  // take gives the next point at once, or null where none is ready yet.
  take() {
    const avoided = new Set(this.app.avoided());
    this.#entries = this.#entries.filter((e) => !avoided.has(e.row));
    const entry = this.#entries.shift() ?? null;
    if (this.#entries.length < refillBelow) this.fill(entry ? [entry.row] : []);
    return entry;
  }

  get rows() {
    return this.#entries.map((e) => e.row);
  }

  // renew asks again for all but the very next: the machine has learned.
  renew() {
    this.fill([], untouched);
  }

  // restart forgets what was to come: another mode, another person.
  restart(mode = this.mode) {
    this.mode = mode;
    this.#entries = [];
    this.#filling = null;
    this.#round++;
    this.fill();
  }

  async fill(shown = [], keep = kept) {
    if (this.#filling) return;
    const round = this.#round;
    const filling = this.#fetch(shown, keep, round);
    this.#filling = filling;
    try {
      await filling;
    } catch {
      setTimeout(() => { if (round === this.#round && this.#entries.length < refillBelow) this.fill(shown); }, 1000);
    } finally {
      if (this.#filling === filling) this.#filling = null;
    }
  }

  async #fetch(shown, keep, round) {
    const { app } = this;
    const staying = this.#entries.slice(0, keep);
    const wanted = kept - staying.length;
    if (wanted <= 0) return;
    const not = [...new Set([...app.avoided(), ...shown, ...staying.map((e) => e.row)])];
    const { points } = await get('/api/next', { person: app.person(), mode: this.mode, n: wanted, not: not.slice(-300).join(',') });
    // What is drawn already is not fetched again, but may have another reason.
    const drawn = new Map(this.#entries.map((e) => [e.row, e]));
    const loaded = await load(points.map((p) => p.row).filter((row) => !drawn.has(row)), app.person());
    for (const fresh of await Promise.all(loaded.map((p) => entry(p, app.set())))) drawn.set(fresh.row, fresh);
    if (round !== this.#round) return;
    const coming = points.filter((p) => drawn.has(p.row)).map((p) => ({ ...drawn.get(p.row), reason: p.reason, blind: p.blind }));
    const rows = new Set(coming.map((e) => e.row));
    this.#entries = [...this.#entries.slice(0, keep).filter((e) => !rows.has(e.row)), ...coming];
    this.done = !this.#entries.length;
    this.dispatchEvent(new Event('filled'));
  }
}
