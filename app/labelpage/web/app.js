// The page: its views, the keys they share, and what connects them.

import { Failure, randomKey } from '/assets/api.js';
import { Queue } from '/assets/queue.js';
import { Store } from '/assets/store.js';
import { announce, notice, toast } from '/assets/tell.js';
import { listen } from '/assets/keys.js';
import { openHelp } from '/assets/help.js';
import { ask } from '/assets/dialogs.js';
import { numberOf, refusal } from '/assets/number.js';
import { pickClass } from '/assets/picker.js';
import { askName, rememberedName, Shell } from '/assets/shell.js';
import { LabelView } from '/assets/label.js';
import { BatchView } from '/assets/batch.js';
import { FindView } from '/assets/find.js';
import { MapView } from '/assets/map.js';
import { CheckView } from '/assets/check.js';
import { ProgressView } from '/assets/progress.js';
import { PeopleView } from '/assets/people.js';

const answers = ['label', 'unsure', 'none', 'skip'];

class App {
  person = rememberedName();
  #saved = new Map(); // what to do when a task is on disk, by its id

  constructor() {
    this.queue = new Queue();
    this.store = new Store(() => this.person);
  }

  async start() {
    this.shell = new Shell(this);
    this.queue.addEventListener('status', () => this.#showSaving());
    this.store.addEventListener('connection', () => this.#showSaving());
    this.queue.addEventListener('answer', ({ detail }) => this.#answered(detail));
    this.queue.addEventListener('dropped', ({ detail }) => this.#dropped(detail));
    await this.#firstState();
    this.queue.open(this.store.state.store);
    if (!this.person) this.person = await askName(this.store.state.people);
    const views = [LabelView, BatchView, FindView, MapView, CheckView, ProgressView, PeopleView];
    this.views = views.filter((View) => View !== BatchView || !this.numbers && !this.several).map((View) => new View(this)); // which are never alike
    this.shell.build(this.views);
    this.#showHash();
    addEventListener('hashchange', () => this.#showHash());
    listen(() => this.commands(), (key) => this.classKey(key));
    this.store.listen();
    await this.store.refresh().catch(() => {});
  }

  // numbers tells whether labels are numbers.
  get numbers() {
    return this.store.state.set.numbers;
  }

  // several tells whether rows may have several classes.
  get several() {
    return this.store.state.set.several;
  }

  // fixed tells whether all classes are there, in their order.
  get fixed() {
    return Boolean(this.store.state.set.order);
  }

  async #firstState() {
    for (;;) {
      try {
        return await this.store.refresh();
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        this.shell.showSaving({ kind: failure.refused ? 'locked' : 'offline', waiting: 0 });
        await new Promise((resolve) => { setTimeout(resolve, 1000); });
      }
    }
  }

  #showSaving() {
    const { status } = this.queue;
    this.shell.showSaving(status.kind === 'saved' && this.store.lost ? { kind: this.store.lost, waiting: 0 } : status);
  }

  // commands are those of the view, then those of the page.
  commands() {
    return [...this.view.commands, ...this.pageCommands];
  }

  get pageCommands() {
    const commands = this.#commands.filter((c) => !(c.ofClasses && this.numbers) && !(c.ofOne && this.several) && !(c.changes && this.fixed));
    return this.store.state.set.kind === 'image' ? [...commands, { keys: ['shift+i'], text: 'Brighten pictures: twice, four, eight times, as they are', run: () => this.brighten() }] : commands;
  }

  #commands = [
    { keys: ['z', 'ctrl+z'], text: 'Undo, as often as you like', run: () => this.undo(), repeat: true },
    { keys: ['shift+z', 'ctrl+y', 'ctrl+shift+z'], text: 'Redo', run: () => this.redo(), repeat: true },
    { keys: ['shift+l'], text: 'Label one point at a time', run: () => this.go('label') },
    { keys: ['shift+b'], ofClasses: true, ofOne: true, text: 'Batches of similar points', run: () => this.go('batch') },
    { keys: ['shift+f', '/'], text: 'Find points', run: () => this.go('find') },
    { keys: ['shift+m'], text: 'Map of all points', run: () => this.go('map') },
    { keys: ['shift+c'], text: 'Check suspicious labels', run: () => this.go('check') },
    { keys: ['shift+r'], text: 'Progress and when to stop', run: () => this.go('progress') },
    { keys: ['shift+p'], text: 'People, and what they disagree on', run: () => this.go('people') },
    { keys: ['.'], ofClasses: true, text: 'Find a class by typing, or add one', run: () => this.pickClass() },
    { keys: ['shift+e'], ofClasses: true, changes: true, text: 'Classes: add, rename, merge', run: () => this.shell.classes.edit() },
    { keys: ['shift+d'], text: 'Light or dark', run: () => this.shell.toggleTheme() },
    { keys: ['?'], text: 'These keys', run: () => openHelp(this) },
  ];

  // classKey labels by a key: of a class, or the first of a number.
  classKey(key) {
    if (this.numbers) return this.#numberKey(key);
    const found = this.store.state.classes.find((c) => c.key === key);
    if (!found) {
      if (this.view.aim) toast(this.store.state.classes.length ? `No class has the key ${key}` : 'There is no class yet: Enter adds one');
      return false;
    }
    this.chooseClass(found.id);
    return true;
  }

  #numberKey(key) {
    if (!/[0-9.,-]/.test(key)) return false;
    if (this.view.number) this.view.number.type(key);
    else this.askNumber(key);
    return true;
  }

  // askNumber asks for the number of what the view has in hand.
  askNumber(first = '', give = this.view.aim?.()) {
    if (!give) return;
    const { person } = this;
    ask({
      title: 'Which number?', text: 'With a point or a comma.', value: first, begun: first !== '', numeric: true, action: 'Save',
      refused: (text) => (numberOf(text) === null ? refusal(text) : ''),
      answered: (text) => { if (person === this.person) this.chooseClass(numberOf(text), give); },
    });
  }

  // chooseClass gives a class, or a number as text, to the view's present points, or to those of
  // before.
  chooseClass(id, give = this.view.aim?.()) {
    if (!give) return;
    this.shell.classes.flash(id);
    give(id);
  }

  // pickClass finds or adds a class for what the view has in hand now.
  pickClass() {
    const { person } = this;
    const give = this.view.aim?.();
    const chosen = (id) => { if (person === this.person) this.chooseClass(id, give ?? null); };
    pickClass(this.store, { chosen, added: (name) => this.addClasses([name], () => {
      const made = this.store.state.classes.findLast((c) => c.name === name);
      if (made) chosen(made.id);
    }) });
  }

  // brighten shows all pictures brighter, in the end as they are again.
  brighten() {
    const { dataset } = document.documentElement;
    const times = { 2: 4, 4: 8, 8: 1 }[dataset.brighter] ?? 2;
    dataset.brighter = times;
    this.views[0].showBrightness(times);
    announce(times > 1 ? `Pictures ${times} times as bright` : 'Pictures as they are');
  }

  addClasses(names, added = () => {}) {
    this.record(names.map((name) => ({ kind: 'class-add', name })), () => {
      toast(names.length > 1 ? `${names.length} classes added` : `Class “${names[0]}” added`);
      added();
    });
  }

  // record sends events as one group; saved is called when they are on disk.
  record(events, saved = () => {}) {
    const group = events.length > 1 ? randomKey() : undefined;
    const id = randomKey();
    this.#saved.set(id, saved);
    this.views[0].ahead.leave(events.filter((e) => answers.includes(e.kind)).map((e) => e.row));
    this.queue.send({
      id,
      path: '/api/events',
      body: { person: this.person, events: events.map((e) => ({ key: randomKey(), ...e, ...label(e.class), group })) },
    });
  }

  undo() {
    this.#turn('undo');
  }

  redo() {
    this.#turn('redo');
  }

  #turn(way) {
    if (!['saved', 'saving'].includes(this.queue.status.kind)) {
      toast(`There is no connection: ${way} has to wait for it.`);
      return;
    }
    this.views[0].hold(1);
    const id = randomKey();
    const { person } = this;
    this.#saved.set(id, (answer) => this.#turned(way, answer.undone, person));
    this.queue.send({ id, path: `/api/${way}`, body: { person, key: randomKey() } });
  }

  async #turned(way, undone, person) {
    const text = undone?.text ? `${way === 'undo' ? 'Undone' : 'Done again'}: ${undone.text}` : `Nothing to ${way}`;
    toast(text);
    announce(text);
    try {
      if (undone?.rows?.length && person === this.person) {
        if (this.view === this.views[0]) await this.view.open(undone.rows[0]);
        else this.view.changed?.(undone.rows);
      }
    } finally {
      this.views[0].hold(-1);
    }
  }

  #answered({ tasks, answer }) {
    this.store.set(answer, tasks[0].body.person);
    for (const { id } of tasks) {
      this.#saved.get(id)?.(answer);
      this.#saved.delete(id);
    }
  }

  #dropped({ task, message }) {
    if (this.#saved.delete(task.id) && !task.body.events) this.views[0].hold(-1);
    toast(`Not saved: ${message}`, 'bad');
    this.store.refresh().catch(() => {});
    const row = task.body.events?.[0].row;
    if (row && this.view && this.view === this.views[0]) this.view.open(row);
  }

  go(name) {
    location.hash = name;
  }

  // openRow shows a point in the view of one at a time.
  openRow(row) {
    this.go('label');
    this.views[0].open(row);
  }

  #showHash() {
    const view = this.views.find((v) => `#${v.name}` === location.hash) ?? this.views[0];
    if (view === this.view) return;
    this.view?.leave?.();
    this.view = view;
    this.shell.showView(view);
    view.enter();
    announce(view.title);
  }

  // become changes who labels. Earlier requests are for another person.
  become(name) {
    this.person = name;
    for (const view of this.views) view.restart?.();
    this.view.enter();
    this.store.refresh().catch(() => {});
  }
}

// label is how an event says a class, by its id, a number, which is a text, or several classes.
function label(given) {
  if (given && typeof given === 'object') return { has: given.has, lacks: given.lacks, class: undefined };
  return typeof given === 'string' ? { name: given, class: undefined } : { class: given ?? undefined };
}

const app = new App();
app.start().catch((error) => {
  notice('start', `The page could not start: ${error.message}`, 'bad');
  throw error;
});
