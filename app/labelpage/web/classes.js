// The list of classes beside every view: a key, a name, a count each. A click
// does what the key does; where rows may have several classes, those of the point on the page are pressed. Its dialog adds, renames and merges.

import { button, count, el, keycap, number } from '/assets/dom.js';
import { openDialog } from '/assets/dialogs.js';
import { swatch } from '/assets/chips.js';
import { toast } from '/assets/tell.js';

const longestName = 80;

export class Classes {
  #shown = '';
  #pressed = null; // which classes are on for the point in hand, null for no such point

  constructor(app) {
    this.app = app;
    this.list = el('div', { class: 'class-list goes-on', role: 'group', 'aria-label': 'Classes' });
    this.element = el('section', { class: 'classes' },
      el('header', {}, el('h2', {}, 'Classes'),
        el('button', { type: 'button', class: 'quiet', onclick: () => app.pickClass() }, 'Find', keycap('.')),
        app.fixed ? null : el('button', { type: 'button', class: 'quiet', onclick: () => this.edit() }, 'Edit')),
      this.list);
    app.store.addEventListener('state', () => this.show());
    this.show();
  }

  show() {
    const { classes } = this.app.store.state;
    const now = JSON.stringify(classes.map(({ id, name, key }) => [id, name, key]));
    if (now !== this.#shown) this.#rebuild(classes);
    this.#shown = now;
    for (const c of classes) {
      const figure = this.#button(c.id).lastChild;
      figure.textContent = number(c.count);
      figure.setAttribute('aria-label', count(c.count, 'label'));
    }
  }

  #button(id) {
    return this.list.querySelector(`[data-id="${id}"]`);
  }

  // flash shows which class a key was.
  flash(id) {
    const button = this.#button(id);
    button?.classList.remove('taken');
    void button?.offsetWidth; // so that it begins anew
    button?.classList.add('taken');
    button?.scrollIntoView({ block: 'nearest' });
  }

  // press shows which classes are on for the point in hand: state(id) is true, false or mixed.
  press(state = this.#pressed) {
    this.#pressed = state;
    for (const button of this.list.querySelectorAll('[data-id]')) {
      if (state) button.setAttribute('aria-pressed', state(Number(button.dataset.id)));
      else button.removeAttribute('aria-pressed');
    }
  }

  #rebuild(classes) {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.list.classList.toggle('many', classes.length > 14);
    this.list.classList.toggle('brief', classes.every((c) => c.name.length < 4));
    this.list.classList.toggle('long', classes.some((c) => c.name.length > 20 || /\S{11}/.test(c.name)));
    this.list.replaceChildren(...classes.map((c) => el('button', {
      type: 'button', 'data-id': c.id, title: c.name, 'aria-keyshortcuts': c.key || null, onclick: (e) => { if (this.app.several && e.detail) e.currentTarget.blur(); this.app.chooseClass(c.id); }, // Enter then confirms
    }, keycap(c.key || '·'), swatch(this.app.store, c.id), el('span', { class: 'name' }, c.name),
    el('span', { class: 'figure' }))));
    if (!classes.length) {
      this.list.replaceChildren(el('p', { class: 'empty' }, 'No class yet. '), button('Add the first class', '', () => this.app.pickClass(), 'primary'));
    }
    if (focused) this.#button(focused)?.focus();
    this.press();
  }

  edit() {
    const { app } = this;
    const rows = el('div', { class: 'class-rows' });
    const name = el('input', { id: 'new-class', maxlength: 2000, autocomplete: 'off', placeholder: 'New classes, separated by commas' });
    const adding = el('form', { class: 'adding' }, el('label', { for: 'new-class', class: 'unseen' }, 'New classes, separated by commas'), name, el('button', { class: 'primary' }, 'Add'));
    adding.addEventListener('submit', (e) => {
      e.preventDefault();
      const given = [...new Set(name.value.split(',').map((part) => part.trim()).filter(Boolean))];
      const known = given.find((part) => app.store.state.classes.some((c) => c.name === part));
      if (known) return toast(`There is a class “${known}” already`, 'bad');
      const long = given.find((part) => part.length > longestName);
      if (long) return toast(`“${long.slice(0, 20)}…” is longer than ${longestName} letters`, 'bad');
      if (!given.length) return;
      name.value = '';
      app.addClasses(given);
    });
    const content = el('div', { class: 'class-editor' }, rows, adding);
    const dialog = openDialog('Classes', content, { className: 'broad' });
    const show = () => rows.replaceChildren(...app.store.state.classes.map((c) => this.#row(c, dialog)));
    const state = () => { if (!rows.querySelector('input:focus')) show(); };
    app.store.addEventListener('state', state);
    dialog.addEventListener('close', () => app.store.removeEventListener('state', state));
    show();
    name.focus();
  }

  #row(c, dialog) {
    const { app } = this;
    const field = el('input', { value: c.name, maxlength: 80, autocomplete: 'off', 'aria-label': `Name of class ${c.name}` });
    const rename = () => {
      const name = field.value.trim();
      if (!name || name === c.name) {
        field.value = c.name;
        return;
      }
      if (app.store.state.classes.some((other) => other.name === name)) {
        toast('There is a class of that name: merge them instead', 'bad');
        field.value = c.name;
        return;
      }
      app.record([{ kind: 'class-rename', class: c.id, name }], () => toast(`“${c.name}” is now “${name}”`));
    };
    field.addEventListener('change', rename);
    field.addEventListener('keydown', (e) => { if (e.key === 'Enter') field.blur(); });
    const others = app.store.state.classes.filter((other) => other.id !== c.id);
    const into = el('select', { 'aria-label': `Merge ${c.name} into` }, el('option', { value: '' }, 'Merge into…'),
      others.map((other) => el('option', { value: other.id }, other.name)));
    into.addEventListener('change', () => {
      const other = others.find((o) => String(o.id) === into.value);
      into.value = '';
      if (other) this.#merge(c, other, dialog);
    });
    return el('div', { class: 'class-row' }, keycap(c.key || '·'), swatch(app.store, c.id), field,
      el('span', { class: 'figure' }, count(c.count, 'label')), into);
  }

  // merge shows its effect before it is done.
  #merge(c, other, editor) {
    const { app } = this;
    const now = app.store.class(c.id) ?? c;
    const target = app.store.class(other.id) ?? other;
    const line = (k, n) => el('div', {}, el('dt', {}, swatch(app.store, k.id), k.name), el('dd', { class: 'figure' }, n));
    const confirm = openDialog('Merge two classes?', el('div', { class: 'merge' },
      el('dl', { class: 'sums' }, line(now, count(now.count, 'label')), line(target, count(target.count, 'label')),
        el('div', { class: 'sum' }, el('dt', {}, swatch(app.store, target.id), `${target.name}, afterwards`), el('dd', { class: 'figure' }, count(now.count + target.count, 'label')))),
      el('p', {}, `The class “${now.name}” leaves the list. Undo brings it back with its labels.`),
      el('footer', {}, button('Cancel', '', () => confirm.close()), button(`Merge into “${target.name}”`, '', () => {
        confirm.close();
        editor.close();
        app.record([{ kind: 'class-merge', class: now.id, into: target.id }], () => toast(`“${now.name}” merged into “${target.name}”`));
      }, 'primary'))));
    confirm.querySelector('.primary').focus();
  }
}
