// Answers come in an order of their own. Whoever asks for the same thing again
// says here which of them counts: the one to the last question, or one at a time.

// Latest is for what is asked for in place of what was asked for before.
export class Latest {
  #begun = 0;

  // begin answers a function that tells whether nothing was begun since.
  begin() {
    const mine = ++this.#begun;
    return () => mine === this.#begun;
  }
}

// oneAtATime is for asking how things are. It gives a function that has run,
// which is async, begin once more, after what it is at if it is; calls that
// come before it begins share it. The function's promise is that of the run.
export function oneAtATime(run) {
  let now = null;
  let next = null;
  return function ask() {
    if (now) {
      next ??= now.catch(() => {}).then(() => {
        next = null;
        return ask();
      });
      return next;
    }
    now = run().finally(() => { now = null; });
    return now;
  };
}
