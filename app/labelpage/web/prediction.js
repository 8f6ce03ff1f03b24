// What the machine says of the point on the page, when it is asked.

import { button, el, percent } from '/assets/dom.js';
import { chip } from '/assets/chips.js';
import { Latest } from '/assets/turns.js';
import { load } from '/assets/ahead.js';
import { get } from '/assets/api.js';
import { announce } from '/assets/tell.js';

export class Prediction {
  shown = false;
  #entry = null;
  #expected = null; // classes that are shown as predicted
  #asked = new Latest();
  #told = ''; // what reasons are of

  // toggled is called when predictions have been asked for, or hidden again; taken gets the classes that are predicted of a point that may have
  // several.
  constructor(app, toggled, taken = () => {}) {
    this.taken = taken;
    this.app = app;
    this.toggled = toggled;
    this.bars = el('div', { class: 'bars' });
    this.switch = button('Prediction', 'p', () => this.toggle(), 'quiet');
    this.switch.setAttribute('aria-pressed', 'false');
    this.set = el('p', { class: 'set' });
    this.held = el('p', { class: 'set held' }); // of several classes, those that the point has nine times in ten
    this.why = button('Why?', null, () => this.#explain(), 'quiet');
    this.reasons = el('div', { class: 'set reasons', role: 'status' });
    this.element = el('div', { class: 'prediction' }, this.switch, el('div', { class: 'predicted' }, this.bars, this.set, this.held, this.why, this.reasons));
    this.#say();
  }

  toggle() {
    this.shown = !this.shown;
    this.switch.setAttribute('aria-pressed', String(this.shown));
    if (!this.shown) announce('Predictions hidden');
    this.show(this.#entry, true);
    this.toggled();
  }

  renew() {
    this.show(this.#entry);
  }

  // show asks for the prediction of an entry, unless it is blind.
  async show(entry, aloud = false) {
    if (entry !== this.#entry || !this.shown) this.#say();
    this.#entry = entry;
    const wanted = this.#asked.begin();
    if (!this.shown || !entry) return;
    if (entry.blind) {
      this.#say(el('p', {}, 'Hidden: this point is asked blindly.'));
      return;
    }
    const points = await load([entry.row], this.app.person, true).catch(() => null);
    if (!wanted() || !points) return;
    const { prediction, foretold, expected } = points[0] ?? {};
    if (foretold) return this.#foretell(foretold, aloud);
    if (expected) return this.#expect(expected, aloud);
    if (!prediction) {
      this.#say(el('p', {}, `No prediction yet. ${this.app.store.undecided}`));
      return;
    }
    const { store } = this.app;
    const all = prediction.probabilities ?? [{ class: prediction.class, p: prediction.probability }];
    const best = all.filter((one, k) => k < 3 || one.class === prediction.class);
    if (store.state.set.ordered) best.sort((a, b) => store.rank(a.class) - store.rank(b.class));
    this.#say(...best.map(({ class: id, p }) => el('div', {},
      chip(store, id), el('meter', { min: 0, max: 1, value: p, 'aria-label': store.className(id) }), el('span', { class: 'figure' }, percent(p)))));
    this.set.replaceChildren(...this.#set(prediction));
    this.why.hidden = false;
    if (aloud) announce(`Predicted ${store.className(prediction.class)}, ${percent(prediction.probability)}. ${this.set.textContent}`);
  }

  // foretell tells the predicted number and its interval, or why there is none.
  #foretell({ value, low, high, no_interval: none }, aloud) {
    this.#say(el('div', {}, chip(this.app.store, value)));
    this.why.hidden = false;
    this.set.replaceChildren(none ?? `Nine times in ten from ${low} to ${high}`);
    if (aloud) announce(`Predicted ${value}. ${this.set.textContent}`);
  }

  // expect tells which of several classes are predicted, how probable the first ones are, and which it has or may have nine times in ten.
  #expect({ has, probabilities, sure, open, no_set: none }, aloud) {
    const { store } = this.app;
    this.#say(...probabilities.slice(0, Math.max(3, has.length)).map(({ class: id, p }) => el('div', {},
      chip(store, id), el('meter', { min: 0, max: 1, value: p, 'aria-label': store.className(id) }), el('span', { class: 'figure' }, percent(p)))));
    this.#expected = has;
    this.why.hidden = false;
    this.set.replaceChildren('Predicted: ', chip(store, { has, lacks: [] }), ' ', button('Switch on', '⇧⏎', () => this.take(), 'quiet'));
    this.held.replaceChildren(...(none ? [none] : ['Nine times in ten: ', chip(store, { has: sure, lacks: [] }),
      ...(open.length ? [' Cannot be told: ', chip(store, { has: open, lacks: [] })] : [])]));
    if (aloud) announce(`Predicted ${store.className({ has })}. ${this.held.textContent}`);
  }

  // take gives the predicted classes of a point that may have several, if they are shown.
  take() {
    if (this.#expected) this.taken(this.#expected);
  }

  #say(...children) {
    this.#expected = null;
    this.bars.replaceChildren(...children);
    this.why.hidden = true;
    if (this.#told !== this.#now()) this.reasons.replaceChildren();
    this.set.replaceChildren();
    this.held.replaceChildren();
  }

  // now names the point whose prediction is shown, and the labels that it is by.
  #now() {
    return this.shown && this.#entry ? `${this.#entry.row} ${this.app.store.state?.model?.version}` : '';
  }

  // explain asks what decides about the point. It is only asked for, as a model is trained for it.
  async #explain() {
    const now = this.#now();
    this.#told = now;
    this.reasons.replaceChildren('…');
    const { sentences, none } = await get('/api/why', { row: this.#entry.row }).catch((failure) => ({ none: failure.message }));
    if (now === this.#now()) this.reasons.replaceChildren(...(sentences ?? [none]).map((sentence) => el('p', {}, sentence)));
  }

  // set tells the classes that hold the right one nine times in ten, or why no labels promise that.
  #set({ set, no_set: none }) {
    if (!set) return none ? [none] : [];
    return ['Nine times in ten: ', ...set.flatMap((id, i) => [i ? ' or ' : '', chip(this.app.store, id)])];
  }
}
