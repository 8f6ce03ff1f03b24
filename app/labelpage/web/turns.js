// Answers arrive in any order. These helpers say which answer counts when the
// same thing is asked again: only the answer to the last question, or each in
// turn.

// Latest is for requests that replace the request before.
export class Latest {
  #begun = 0;

  // begin returns a function that tells whether this request is still the
  // latest.
  begin() {
    const mine = ++this.#begun;
    return () => mine === this.#begun;
  }
}

// oneAtATime is for asking how things are. It returns a function that starts the
// asynchronous function run. While run is under way, a call schedules one more
// run after it; further calls share that next run. The returned promise is that
// of the run.
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
