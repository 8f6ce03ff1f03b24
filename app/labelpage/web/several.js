// Several classes of a row: what was said of it as { has, lacks }, lists of ids, and the choice on the page until it is confirmed.
// Of classes in neither list it is not known.

import { button, el, fill } from '/assets/dom.js';
import { named, swatch } from '/assets/chips.js';

// answered returns answers with another one for a class: on is true, false, or null where it is not known.
export function answered({ has = [], lacks = [] }, id, on) {
  const without = (ids) => ids.filter((other) => other !== id);
  return { has: on === true ? [...without(has), id] : without(has), lacks: on === false ? [...without(lacks), id] : without(lacks) };
}

// none is the answer that a row has no class of those that there are.
export function none(store) {
  return { has: [], lacks: store.state.classes.map((c) => c.id) };
}

// several shows answers: the classes that a row has, and how many are not known.
export function several(store, { has, lacks }) {
  const open = lacks.length ? store.state.classes.filter((c) => !has.includes(c.id) && !lacks.includes(c.id)) : [];
  const parts = has.map((id) => el('span', { class: 'chip' }, swatch(store, id), named(store.className(id))));
  if (!has.length) parts.push(el('span', { class: 'chip plain' }, 'no class'));
  if (open.length) parts.push(el('span', { class: 'chip plain', title: `Not known: ${open.map((c) => c.name).join(', ')}` }, `${open.length} ?`));
  return el('span', { class: 'chips' }, parts);
}

// Choice has the classes that keys have switched on for the point on the page. confirmed gets the answers. A class
// that is on has yes, and another one no. A class marked as not known has none.
export class Choice {
  #has = new Set();
  #open = new Set(); // classes that are not known
  #marking = false; // the next class is marked as not known

  constructor(app, confirmed) {
    this.app = app;
    this.confirmed = confirmed;
    this.chips = el('span', { class: 'chips', role: 'status' });
    this.mark = button('Not known', 'x', () => this.marking());
    this.mark.setAttribute('aria-pressed', 'false');
    this.mark.title = 'The next class is marked: one cannot tell whether this has it';
    this.element = el('div', { class: 'choice', role: 'group', 'aria-label': 'Classes of this point' }, this.chips, this.mark, button('Confirm', '⏎', () => this.confirm(), 'primary'));
    app.store.addEventListener('state', () => this.#show());
  }

  // begin begins with what was said of a point, nothing switched on where nothing was.
  begin(given) {
    const { has = [], lacks = [] } = given ?? {};
    this.#has = new Set(has);
    this.#open = new Set(given ? this.#ids().filter((id) => !has.includes(id) && !lacks.includes(id)) : []);
    this.marking(false);
  }

  #ids() {
    return this.app.store.state.classes.map((c) => c.id);
  }

  marking(on = !this.#marking) {
    this.#marking = on;
    this.mark.setAttribute('aria-pressed', String(on));
    this.#show();
  }

  // toggle switches a class, and returns what then holds, in words.
  toggle(id) {
    const [to, from] = this.#marking ? [this.#open, this.#has] : [this.#has, this.#open];
    from.delete(id);
    if (!to.delete(id)) to.add(id);
    const name = this.app.store.className(id);
    const said = this.#has.has(id) ? `${name} on` : this.#open.has(id) ? `${name} not known` : `${name} off`;
    this.marking(false);
    return said;
  }

  // take switches on these classes alone.
  take(ids) {
    this.#has = new Set(ids);
    this.#open.clear();
    this.#show();
  }

  confirm() {
    const ids = this.#ids();
    if (ids.length) this.confirmed({ has: ids.filter((id) => this.#has.has(id)), lacks: ids.filter((id) => !this.#has.has(id) && !this.#open.has(id)) });
  }

  #show() {
    const { store, shell } = this.app;
    const classes = store.state.classes.filter((c) => this.#has.has(c.id) || this.#open.has(c.id));
    fill(this.chips, classes.map((c) => el('button', { type: 'button', class: this.#open.has(c.id) ? 'chip plain' : 'chip', title: `Switch ${c.name} off`, onclick: () => { this.#has.delete(c.id); this.#open.delete(c.id); this.#show(); } },
      this.#open.has(c.id) ? `${c.name} ?` : [swatch(store, c.id), named(c.name)])),
    classes.length ? null : el('span', { class: 'faint' }, 'Nothing is on: Enter says that it has none of the classes'));
    if (this.app.view?.choice === this) shell.classes.press((id) => (this.#has.has(id) ? 'true' : this.#open.has(id) ? 'mixed' : 'false'));
  }
}
