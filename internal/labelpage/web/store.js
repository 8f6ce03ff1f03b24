// The state of the labelling as the program last told it.

import { get } from '/assets/api.js';

const reconnectAfter = 1500;

export class Store extends EventTarget {
  state = null;
  #fetching = false;
  #again = false;

  // person answers whose state is asked for.
  constructor(person) {
    super();
    this.person = person;
  }

  async refresh() {
    if (this.#fetching) {
      this.#again = true;
      return;
    }
    this.#fetching = true;
    try {
      do {
        this.#again = false;
        this.set(await get('/api/state', { person: this.person() }));
      } while (this.#again);
    } finally {
      this.#fetching = false;
    }
  }

  // set takes a state that is not older than the one known.
  set(state) {
    if (this.state && older(state, this.state)) return;
    const before = this.state;
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: { state, before } }));
  }

  // listen follows the program's own news, over lost connections too.
  listen() {
    const source = new EventSource('/api/stream');
    source.addEventListener('state', () => this.refresh().catch(() => {}));
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => {
        this.listen();
        this.refresh().catch(() => {});
      }, reconnectAfter);
    });
  }

  class(id) {
    return this.state.classes.find((c) => c.id === id);
  }

  className(id) {
    return this.class(id)?.name ?? 'a class that is gone';
  }

  // rank is the position of a class, which its colour follows.
  rank(id) {
    return this.state.classes.findIndex((c) => c.id === id);
  }
}

function older(a, b) {
  return a.version < b.version || a.version === b.version && a.model.version < b.model.version;
}
