// The view of one point at a time.

import { announce, toast } from '/assets/tell.js';
import { ask } from '/assets/dialogs.js';
import { button, el, icon } from '/assets/dom.js';
import { Ahead, entry, load } from '/assets/ahead.js';
import { chip, stateName } from '/assets/chips.js';
import { NumberField } from '/assets/number.js';
import { Choice, none } from '/assets/several.js';
import { Prediction } from '/assets/prediction.js';
import { Recent } from '/assets/recent.js';
import { enlarge, spoken } from '/assets/item.js';

const modes = [['suggest', 'Suggested'], ['random', 'Random'], ['order', 'In order'], ['audit', 'Blind audit'], ['second', 'Second opinion']];
const finished = { // what is said where no points are left
  suggest: 'Nothing is left to label here. The map and the other views stay open.',
  second: 'Nobody else has labelled a point that you have not.',
};
const longestTrail = 300;
const lineStep = 60; // pixels of an arrow key in a long text

export class LabelView {
  name = 'label';
  title = 'Label';
  #trail = []; // points shown in this session, oldest first
  #at = -1;
  #shownAt = 0;
  #room = { width: 0, height: 0 }; // of the stage
  #waiting = 0; // for undos that tell which point to show
  #held = []; // answers given meanwhile
  #opened = null; // settled when the point last opened is shown

  constructor(app) {
    this.app = app;
    this.ahead = new Ahead({
      person: () => app.person,
      set: () => app.store.state.set,
      avoided: () => this.#avoided(),
    });
    this.ahead.addEventListener('filled', () => {
      if (this.#current()) return;
      if (this.ahead.rows.length) this.#advance();
      else this.#show();
    });
    this.prediction = new Prediction(app, () => this.#showReason(), (ids) => this.choice.take(ids));
    this.recent = new Recent(app, (entry) => this.#go(this.#trail.indexOf(entry)));
    this.#build();
    new ResizeObserver(([{ contentRect }]) => {
      this.#room = contentRect;
      this.#enlarge();
    }).observe(this.stage);
    this.#leaveOutAbsence();
    app.store.addEventListener('state', ({ detail: { state, before } }) => {
      if (before && (state.model.version !== before.model.version || state.set.rows !== before.set.rows)) {
        this.ahead.renew();
        this.prediction.renew();
      }
      this.#showUndo();
      this.#showGiven();
    });
  }

  // leaveOutAbsence leaves the time while the page was hidden out of the
  // seconds for an answer.
  #leaveOutAbsence() {
    let left = 0;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) left = performance.now();
      else this.#shownAt += performance.now() - left;
    });
  }

  #build() {
    this.mode = el('select', { id: 'mode', 'aria-label': 'Which points come', onchange: (e) => this.#changeMode(e.target.value) },
      modes.map(([value, text]) => el('option', { value }, text)));
    this.reason = el('p', { class: 'reason' });
    this.brighter = button('Brighten', '⇧i', () => this.app.brighten(), 'quiet brighter');
    this.brighter.hidden = this.app.store.state.set.kind !== 'image';
    this.stage = el('div', { class: 'stage', id: 'stage', tabindex: '-1', role: 'group', 'aria-label': 'Point' });
    this.given = el('p', { class: 'given' });
    this.caption = el('p', { class: 'caption' });
    this.comment = el('p', { class: 'comment', hidden: true });
    this.undoButton = button(icon('undo'), 'z', () => this.app.undo());
    this.redoButton = button(icon('redo'), '⇧z', () => this.app.redo());
    this.undoButton.setAttribute('aria-label', 'Undo z');
    this.redoButton.setAttribute('aria-label', 'Redo ⇧z');
    const { numbers, several } = this.app;
    if (several) this.choice = new Choice(this.app, (answers) => this.#answer('label', answers));
    if (numbers) this.number = new NumberField((value) => this.#answer('label', value));
    this.element = el('section', { class: numbers || several ? 'label-view with-field' : 'label-view', 'aria-label': 'Label' },
      el('div', { class: 'over' }, this.mode, this.reason),
      this.stage,
      el('div', { class: 'under' }, this.caption, this.brighter, this.given, this.comment),
      this.number?.element ?? this.choice?.element,
      this.prediction.element,
      el('div', { class: 'actions', role: 'group', 'aria-label': 'Other answers' },
        button('Skip', 's', () => this.#answer('skip')),
        button('Unsure', 'u', () => this.#answer('unsure')),
        button(numbers ? 'No number' : 'None of these', 'n', () => this.#none()),
        button('Comment', 'c', () => this.#comment()),
        this.undoButton, this.redoButton),
      this.recent.element);
  }

  get commands() {
    return [
      { keys: ['s', 'Space'], text: 'Skip: it comes again at the end', run: () => this.#answer('skip') },
      { keys: ['u'], text: 'Unsure: one cannot tell', run: () => this.#answer('unsure') },
      { keys: ['n'], text: this.app.numbers ? 'It has no number' : this.app.several ? 'It has none of these classes' : 'Not one of these classes', run: () => this.#none() },
      { keys: ['c'], text: 'Comment on this point', run: () => this.#comment() },
      ...this.#entering,
      { keys: ['ArrowLeft'], text: 'Back to the point before', run: () => this.#go(this.#at - 1), repeat: true },
      { keys: ['ArrowRight'], text: 'Forward again', run: () => this.#go(this.#at + 1), repeat: true },
      { keys: ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'], text: 'Read on in a long text', run: (e) => this.#scroll(e.key), repeat: true },
      { keys: ['p'], text: 'Show or hide predictions (never for blind points)', run: () => this.prediction.toggle() },
    ];
  }

  // entering are the commands that give a label.
  get #entering() {
    if (this.number) return [{ keys: ['0–9', 'Enter'], text: 'Type the number, and confirm it', run: () => this.number.type() }];
    if (!this.choice) return [{ keys: ['Enter'], text: 'Find a class by typing, or add one', run: () => this.app.pickClass() }];
    return [
      { keys: ['Enter'], text: 'Confirm: it has the classes that are on, and no others', run: () => (this.app.store.state.classes.length ? this.choice.confirm() : this.app.pickClass()) },
      { keys: ['x'], text: 'The next class key marks that one cannot tell', run: () => this.choice.marking() },
      { keys: ['shift+Enter'], text: 'Switch on what is predicted, while predictions are shown', run: () => this.prediction.take() },
      { keys: ['Escape'], text: 'Back to what was said of it', run: () => this.choice.begin(this.#said()) },
    ];
  }

  // said is the label of the point on the page that switching begins with: the person's own, or the settled one unless it is asked blindly.
  #said() {
    const { given, point, blind } = this.#current() ?? {};
    return given ? given.class : blind ? null : point?.settled;
  }

  #none() {
    if (this.choice) this.#answer('label', none(this.app.store));
    else this.#answer('none');
  }

  enter() {
    this.choice?.begin(this.#said());
    if (!this.#current()) this.#advance();
    this.#shownAt = performance.now();
  }

  leave() {
    if (this.choice) this.app.shell.classes.press(null);
  }

  restart() {
    this.#trail = [];
    this.#at = -1;
    this.#held = [];
    this.recent.show([]);
    this.ahead.restart();
  }

  // aim answers what gives a class to the point on the page now. It may be
  // long in coming: a point that has got another answer meanwhile keeps it.
  aim() {
    const entry = this.#current();
    const given = entry?.given;
    return (id) => {
      if (!entry || entry.given !== given) return;
      if (this.choice) {
        if (entry === this.#current()) announce(this.choice.toggle(id));
        return;
      }
      if (entry === this.#current()) this.#answer('label', id);
      else this.#give(entry, 'label', id);
    };
  }

  #scroll(key) {
    const box = this.stage.firstElementChild;
    const step = key.startsWith('Page') ? 0.85 * box.clientHeight : lineStep;
    box.scrollBy({ top: key.endsWith('Up') ? -step : step });
  }

  // neutral is the row on the page if it is not asked blindly; other views may
  // then show what they know of it.
  get neutral() {
    const current = this.#current();
    return current && !current.blind ? current.row : null;
  }

  // coming are the rows that are on the page and next.
  get coming() {
    return [...this.ahead.rows, this.#current()?.row].filter(Boolean);
  }

  #current() {
    return this.#trail[this.#at];
  }

  #answer(kind, id = null) {
    const current = this.#current();
    if (!current) return;
    if (this.#waiting) {
      this.#held.push([kind, id]);
      return;
    }
    const said = kind === 'label' ? this.app.store.className(id) : stateName(this.app.store, kind);
    this.#give(current, kind, id, Math.round(performance.now() - this.#shownAt) / 1000);
    this.#advance();
    announce(`${current.point.name}: ${said}. ${this.#spoken()}`);
  }

  #give(entry, kind, id, seconds = 0) {
    const given = { kind, class: id, saved: false };
    entry.given = given;
    this.app.record([{ kind, row: entry.row, class: id, seconds, blind: entry.blind }], () => {
      given.saved = true;
      this.recent.show(this.#trail, this.#at);
    });
  }

  #spoken() {
    const next = this.#current();
    return next ? `Now ${next.point.name}${next.blind ? ', blind' : ''}: ${spoken(next.point)}` : 'Loading the next point.';
  }

  // advance shows the next point: of the trail, after going back, or a new one.
  #advance() {
    if (this.#at + 1 < this.#trail.length) {
      this.#at++;
      return this.#show();
    }
    const next = this.ahead.take();
    if (next) {
      this.#trail.push(next);
      if (this.#trail.length > longestTrail) this.#trail.shift();
    }
    this.#at = next ? this.#trail.length - 1 : this.#trail.length;
    this.#show();
  }

  #go(to) {
    if (to < 0 || to >= this.#trail.length || this.#waiting) return;
    this.#at = to;
    this.#show();
    announce(this.#spoken());
  }

  // open shows a point that another view or an undo asks for. The point asked
  // for last stays, in whatever order the answers arrive.
  open(row) {
    const { person } = this.app;
    this.hold(1);
    const loading = this.#load(row);
    const shown = Promise.allSettled([loading, this.#opened])
      .then(() => loading)
      .then((fresh) => { if (fresh && person === this.app.person) this.#place(fresh); })
      .catch((failure) => toast(failure.message, 'bad'))
      .finally(() => this.hold(-1));
    this.#opened = shown;
    return shown;
  }

  async #load(row) {
    const [point] = await load([row], this.app.person);
    if (!point) return null;
    const fresh = await entry(point, this.app.store.state.set, this.#trail.findLast((e) => e.row === row));
    fresh.given = point.state ? { kind: point.state, class: point.class, saved: true } : null;
    return fresh;
  }

  // place puts a point where the trail has it, or before the current one.
  #place(fresh) {
    const at = this.#trail.findLastIndex((e) => e.row === fresh.row);
    if (at < 0) {
      this.#at = Math.max(0, this.#at);
      this.#trail.splice(this.#at, 0, fresh);
    } else {
      const { given } = this.#trail[at];
      if (given && !given.saved) fresh.given = given;
      this.#trail[at] = fresh;
      this.#at = at;
    }
    this.#show();
  }

  // hold keeps answers back until an undo has told which point it was about.
  hold(change) {
    this.#waiting += change;
    this.stage.setAttribute('aria-busy', String(this.#waiting > 0));
    if (!this.#waiting) this.#held.splice(0).forEach(([kind, id]) => this.#answer(kind, id));
  }

  // avoided rows are on the page, or answered without the program's knowing.
  #avoided() {
    return [...this.app.queue.rows(), ...this.#trail.slice(Math.max(0, this.#at)).map((e) => e.row)];
  }

  #show() {
    const current = this.#current();
    this.stage.dataset.row = current?.row ?? '';
    this.#enlarge();
    this.stage.replaceChildren(current ? current.element : el('p', { class: 'empty' },
      this.#whyEmpty()));
    this.stage.scrollTop = 0;
    this.number?.clear();
    this.choice?.begin(this.#said());
    this.caption.textContent = current?.point.name ?? '';
    this.#showReason();
    this.comment.textContent = current?.point.comment ?? '';
    this.comment.hidden = !current?.point.comment;
    this.#showGiven();
    this.prediction.show(current);
    this.recent.show(this.#trail, this.#at);
    this.#shownAt = performance.now();
  }

  #whyEmpty() {
    if (this.app.store.lost) return 'The points at hand are all labelled. More come when lapsvm answers again.';
    return this.ahead.done ? finished[this.ahead.mode] ?? finished.suggest : 'Fetching points…';
  }

  #enlarge() {
    const current = this.#current();
    if (current) enlarge(current.element, this.app.store.state.set, this.#room);
  }

  // showReason shows why this point was chosen. The reason of a suggestion
  // tells what the machine thinks of it, so it is hidden with the predictions.
  #showReason() {
    const { blind = false, reason = '' } = this.#current() ?? {};
    this.reason.textContent = (blind ? `Blind: ${reason}` : this.prediction.shown ? reason : '').replaceAll(' %', '\u00a0%');
    this.reason.classList.toggle('blind', blind);
  }

  #showGiven() {
    const given = this.#current()?.given;
    if (!given) this.given.replaceChildren();
    else this.given.replaceChildren('You said ', given.kind === 'label' ? chip(this.app.store, given.class) : el('span', { class: 'chip plain' }, stateName(this.app.store, given.kind) ?? given.kind));
  }

  showBrightness(times) {
    this.brighter.firstChild.textContent = times > 1 ? `Brightness × ${times}` : 'Brighten';
    this.brighter.setAttribute('aria-pressed', String(times > 1));
  }

  #showUndo() {
    const { undo, redo } = this.app.store.state;
    this.undoButton.disabled = !undo;
    this.undoButton.title = undo ? `Undo: ${undo}` : 'Nothing to undo';
    this.redoButton.disabled = !redo;
    this.redoButton.title = redo ? `Redo: ${redo}` : 'Nothing to redo';
  }

  #changeMode(mode) {
    this.#trail.splice(this.#at);
    this.ahead.restart(mode);
    this.#at = this.#trail.length;
    this.#show();
    this.mode.blur();
  }

  #comment() {
    const current = this.#current();
    if (!current) return;
    ask({
      title: 'Comment', text: `On ${current.point.name}. Everybody who labels can read it.`, value: current.point.comment ?? '',
      long: true, empty: true, action: 'Save',
      answered: (comment) => {
        if (comment === (current.point.comment ?? '')) return;
        current.point.comment = comment;
        this.app.record([{ kind: 'comment', row: current.row, comment }], () => toast(comment ? 'Comment saved' : 'Comment removed'));
        this.#show();
      },
    });
  }
}
