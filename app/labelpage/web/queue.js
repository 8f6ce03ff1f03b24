// What the labeller did goes to disk in order, in the background.
// A task is one request: events that belong together, an undo or a redo.
// Tasks stay in the session's storage until they are acknowledged, so that a
// reload loses nothing; their keys keep a repeated one from counting twice.

import { Failure, post } from '/assets/api.js';

const storageKey = 'unsent';
const eventsAtOnce = 100;
const shortestWait = 300;
const longestWait = 4000;

// status.kind: saved, saving, offline, refused (the store cannot write) or
// locked (the token is not valid any more); status.waiting counts tasks.
export class Queue extends EventTarget {
  #tasks = stored();
  #running = false;
  #wait = shortestWait;
  #wake = () => {};
  status = { kind: 'saved', waiting: 0, message: '' };

  constructor() {
    super();
    addEventListener('online', () => this.#wake());
    addEventListener('beforeunload', (e) => {
      if (this.#tasks.length) e.preventDefault();
    });
    this.#run();
  }

  // send adds a task: path, body, and anything the page wants back with it.
  send(task) {
    this.#tasks.push(task);
    this.#store();
    if (this.status.kind === 'saved') this.#tell('saving');
    else this.#tell(this.status.kind, this.status.message);
    this.#run();
  }

  // rows that are in tasks not yet acknowledged.
  rows() {
    return this.#tasks.flatMap((t) => (t.body.events ?? []).map((e) => e.row).filter(Boolean));
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#tasks.length) {
      const together = this.#together();
      try {
        await this.#attempt(together);
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        await this.#pause(failure);
      }
    }
    this.#running = false;
    this.#tell('saved');
  }

  // together takes the tasks at the front that one request can carry.
  #together() {
    const [first] = this.#tasks;
    const taken = [first];
    if (!first.body.events) return taken;
    let events = first.body.events.length;
    for (const task of this.#tasks.slice(1)) {
      if (!task.body.events || task.body.person !== first.body.person) break;
      events += task.body.events.length;
      if (events > eventsAtOnce) break;
      taken.push(task);
    }
    return taken;
  }

  async #attempt(tasks) {
    let sent = tasks;
    let answer;
    try {
      answer = await post(tasks[0].path, merged(tasks));
    } catch (failure) {
      if (!told(failure)) throw failure;
      if (tasks.length === 1) {
        this.#done(tasks);
        this.dispatchEvent(new CustomEvent('dropped', { detail: { task: tasks[0], message: failure.message } }));
        return;
      }
      // One of them is refused: the first goes alone, the others follow.
      sent = [tasks[0]];
      return this.#attempt(sent);
    }
    this.#done(sent);
    this.#wait = shortestWait;
    this.dispatchEvent(new CustomEvent('answer', { detail: { tasks: sent, answer } }));
    this.#tell(this.#tasks.length ? 'saving' : 'saved');
  }

  #done(tasks) {
    this.#tasks.splice(0, tasks.length);
    this.#store();
  }

  async #pause(failure) {
    const kind = failure.refused ? 'locked' : [503, 507].includes(failure.status) ? 'refused' : 'offline';
    this.#tell(kind, failure.message);
    await new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, this.#wait);
    });
    this.#wait = Math.min(longestWait, this.#wait * 2);
  }

  #store() {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(this.#tasks));
    } catch {
      // Without storage a reload would lose them; closing warns.
    }
  }

  #tell(kind, message = '') {
    this.status = { kind, message, waiting: this.#tasks.length };
    this.dispatchEvent(new Event('status'));
  }
}

function merged(tasks) {
  const { body } = tasks[0];
  return body.events ? { person: body.person, events: tasks.flatMap((t) => t.body.events) } : body;
}

// told reports whether the program understood and said no for good.
function told(failure) {
  return failure.status >= 400 && failure.status < 500 && !failure.refused && ![408, 429].includes(failure.status);
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey)) ?? [];
  } catch {
    return [];
  }
}
