// What stands around the views: name of the set, rail, saving, people, theme.

import { button, count, countPoints, el, icon } from '/assets/dom.js';
import { ask } from '/assets/dialogs.js';
import { Classes } from '/assets/classes.js';
import { Numbers } from '/assets/number.js';
import { notice, toast } from '/assets/tell.js';
import { download } from '/assets/api.js';
import { openHelp } from '/assets/help.js';
import { Overview } from '/assets/overview.js';
import { redrawCurves } from '/assets/curve.js';

const exports = [
  ['/api/export/labels.csv', 'Labels', 'CSV: what is settled of each point'],
  ['/api/export/history.csv', 'History', 'CSV: all that everybody said'],
  ['/api/export/model.lapsvm', 'Model', 'for lapsvm predict'],
  ['/api/export/report.html', 'Report', 'one page, without network'],
];
const learned = ['Model', 'Report']; // there is none before labels of two classes are there

export class Shell {
  #warnings = 0; // that are on the page

  constructor(app) {
    this.app = app;
    this.saving = document.getElementById('saving');
    this.showSaving({ kind: 'saved', waiting: 0 });
  }

  build(views) {
    this.classes = this.app.numbers ? new Numbers(this.app) : new Classes(this.app);
    this.overview = new Overview(this.app);
    this.side = document.querySelector('.side');
    this.side.replaceChildren(this.classes.element, this.overview.element);
    this.#buildRail(views);
    this.#buildMenu();
    this.person = document.getElementById('person');
    this.person.addEventListener('click', () => {
      ask({
        title: 'Who labels?', text: 'Labels are kept under this name.', value: this.app.person, action: 'Go on',
        answered: (name) => {
          remember(name);
          this.app.become(name);
          this.showState(this.app.store.state);
        },
      });
    });
    this.app.store.addEventListener('state', ({ detail: { state, before } }) => {
      this.showState(state);
      const more = state.set.rows - (before ?? state).set.rows;
      if (more > 0) toast(countPoints(more, state.set).replace(' ', ' new '));
    });
    this.showState(this.app.store.state);
  }

  #buildRail(views) {
    const rail = document.querySelector('.rail');
    this.links = views.map((view) => el('a', { href: `#${view.name}` }, icon(view.name), el('span', {}, view.title)));
    rail.replaceChildren(...this.links, el('span', { class: 'spring' }),
      el('button', { type: 'button', class: 'wide-only', onclick: () => this.toggleTheme(), title: 'Light or dark (Shift D)' }, icon('theme'), el('span', {}, 'Theme')),
      el('button', { type: 'button', class: 'wide-only', onclick: () => openHelp(this.app), title: 'All keys (?)' }, icon('help'), el('span', {}, 'Keys')));
  }

  #buildMenu() {
    const opener = document.getElementById('export');
    const menu = document.getElementById('export-menu');
    const narrow = [['Keys', () => openHelp(this.app)], ['Light or dark', () => this.toggleTheme()]].map(([text, run]) => el('button', {
      type: 'button', role: 'menuitem', tabindex: '-1', class: 'narrow-only', onclick: () => { open(false); run(); },
    }, text));
    const items = exports.map(([path, text, what]) => el('button', {
      type: 'button', role: 'menuitem', tabindex: '-1', 'data-learned': learned.includes(text),
      onclick: (e) => {
        if (e.currentTarget.ariaDisabled === 'true') return;
        open(false);
        if (learned.includes(text)) toast(`${text}: the download begins when it is made`);
        download(path).catch((failure) => toast(`${text}: ${failure.message}`, 'bad'));
      },
    }, text, el('small', {}, what)));
    const all = [...items, ...narrow];
    menu.replaceChildren(...all);
    const open = (yes) => {
      menu.hidden = !yes;
      items.forEach((item, i) => {
        const early = 'learned' in item.dataset && !this.app.store.state.model.decides;
        item.ariaDisabled = String(early);
        item.lastChild.textContent = early ? this.app.numbers ? 'once two rows have numbers that differ' : this.app.several ? 'once rows have a class and others lack it' : 'once two classes have labels' : exports[i][2];
      });
      opener.setAttribute('aria-expanded', String(yes));
      if (yes) all[0].focus();
    };
    opener.addEventListener('click', () => open(menu.hidden));
    menu.addEventListener('keydown', (e) => {
      const visible = all.filter((item) => item.offsetParent);
      const step = { ArrowDown: 1, ArrowUp: visible.length - 1 }[e.key];
      if (step) visible[(visible.indexOf(document.activeElement) + step) % visible.length].focus();
      else if (e.key === 'Escape') {
        open(false);
        opener.focus();
      } else return;
      e.preventDefault();
    });
    document.addEventListener('pointerdown', (e) => { if (!e.target.closest('.menu-root')) open(false); });
    menu.addEventListener('focusout', (e) => { if (e.relatedTarget && !e.relatedTarget.closest('.menu-root')) open(false); });
  }

  showState({ set, warnings }) {
    document.title = `${set.name} · Label`;
    document.getElementById('set-name').textContent = set.name;
    document.getElementById('set-size').textContent = countPoints(set.n, set);
    this.person.textContent = this.app.person;
    this.person.setAttribute('aria-label', `${this.app.person} labels: change`);
    for (let i = 0; i < Math.max(warnings.length, this.#warnings); i++) notice(`warning-${i}`, warnings[i] ?? '');
    this.#warnings = warnings.length;
  }

  showView(view) {
    for (const link of this.links) {
      if (link.hash === `#${view.name}`) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.body.dataset.view = view.name;
    document.getElementById('main').replaceChildren(view.element);
    document.getElementById('main').focus({ preventScroll: true });
  }

  // showSaving says saved only when nothing waits.
  showSaving({ kind, waiting, message }) {
    const text = {
      saved: 'Saved', saving: `Saving ${waiting}…`, offline: waiting ? `Offline, ${waiting} not saved` : 'Offline',
      refused: `Not saved: ${waiting}`, locked: 'Locked',
    }[kind];
    this.saving.dataset.kind = kind;
    if (this.saving.textContent !== text) this.saving.textContent = text;
    notice('queue', {
      offline: waiting ? `lapsvm does not answer. Go on labelling: ${count(waiting, 'change')} will be sent when it is back. Do not close this page.`
        : 'lapsvm does not answer. Everything is saved.',
      refused: `Nothing can be written: ${message} The page tries again and keeps what you do.`,
      locked: 'This page is not let in any more. Open the address that lapsvm printed last, in this browser: nothing is lost.',
    }[kind] ?? '', kind === 'offline' ? 'warning' : 'bad');
  }

  toggleTheme() {
    const { dataset } = document.documentElement;
    const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    dataset.theme = dark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', dataset.theme);
    } catch {
      // The choice then lasts as long as the page.
    }
    redrawCurves();
    this.app.view.redraw?.();
  }
}

export function rememberedName() {
  try {
    return sessionStorage.getItem('person') ?? localStorage.getItem('person') ?? '';
  } catch {
    return '';
  }
}

function remember(name) {
  try {
    sessionStorage.setItem('person', name);
    localStorage.setItem('person', name);
  } catch {
    // It is asked again next time.
  }
}

// askName asks once for the person's name, and offers the names of the people
// so far.
export function askName(people) {
  return new Promise((resolve) => {
    const answered = (name) => {
      remember(name);
      resolve(name);
    };
    ask({ title: 'Who labels?', text: 'Your labels are kept under this name.', action: 'Start', needed: true, answered });
    const known = people.filter(({ name }) => name !== 'data');
    if (!known.length) return;
    const dialog = document.querySelector('dialog');
    dialog.append(el('p', { class: 'known' }, 'Labelled before: ', known.map(({ name }) => button(name, '', () => {
      dialog.close();
      answered(name);
    }, 'quiet'))));
  });
}
