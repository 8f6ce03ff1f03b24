// The state of the labelling by the program's latest answer.

import { follow, get } from '/assets/api.js';
import { countPoints } from '/assets/dom.js';
import { oneAtATime } from '/assets/turns.js';

const reconnectAfter = 1500;

export class Store extends EventTarget {
  state = null;
  lost = ''; // how the program is out of reach: offline, locked, or not

  // person answers whose state is asked for.
  constructor(person) {
    super();
    this.person = person;
  }

  // refresh asks for the state as it is from now on.
  refresh = oneAtATime(async () => {
    const person = this.person();
    this.set(await get('/api/state', { person }), person);
  });

  // set takes a state as a person sees it, unless a later one is known. A state
  // for the person before only causes a refresh.
  set(state, person) {
    if (person !== this.person()) {
      this.refresh().catch(() => {});
      return;
    }
    if (this.state && state.sequence < this.state.sequence) return;
    const before = this.state;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state, before } }));
  }

  // listen follows the program's own news, and whether it is there at all.
  async listen() {
    const lose = (failure) => this.#lose(failure?.refused ? 'locked' : 'offline');
    const refresh = () => this.refresh().then(() => this.#lose(''), lose);
    for (;;) {
      await follow('/api/stream', refresh).then(lose, lose);
      await new Promise((resolve) => { setTimeout(resolve, reconnectAfter); });
    }
  }

  #lose(how) {
    if (how === this.lost) return;
    this.lost = how;
    this.dispatchEvent(new Event('connection'));
  }

  // points counts points by what they are: images, texts, rows.
  points(n) {
    return countPoints(n, this.state.set);
  }

  class(id) {
    return this.state.classes.find((c) => c.id === id);
  }

  // className is the name of a class by its id; a number is a text already, and of several classes it names those that a row has.
  className(id) {
    if (typeof id === 'string') return id;
    if (id && typeof id === 'object') return id.has.map((one) => this.className(one)).join(', ') || 'no class';
    return this.class(id)?.name ?? 'a class that is gone';
  }

  // undecided says why nothing is predicted yet.
  get undecided() {
    if (this.state.set.numbers) return this.state.counts.labelled < 2 ? 'It takes two numbers that differ.' : 'The model is still learning.';
    if (this.state.set.several) return this.state.counts.labelled < 2 ? 'It takes two rows with other classes.' : 'The model is still learning.';
    const labelled = this.state.classes.filter((c) => c.count > 0);
    return labelled.length < 2 ? 'It takes labels of two classes.' : 'The model is still learning.';
  }

  // rank is the position of a class, which its colour follows.
  rank(id) {
    return this.state.classes.findIndex((c) => c.id === id);
  }
}
