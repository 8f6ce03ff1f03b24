// Finding a class by typing: for classes without a key, and for new ones.

import { el } from '/assets/dom.js';
import { openDialog } from '/assets/dialogs.js';
import { paint } from '/assets/colours.js';

// pickClass calls chosen with a class id, or added with a new name.
export function pickClass(store, { chosen, added }) {
  const list = el('div', { role: 'listbox', id: 'found', class: 'found', 'aria-label': 'Classes' });
  const input = el('input', {
    role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'found', 'aria-label': 'Name of the class',
    placeholder: store.state.set.order ? 'Type a class' : 'Type a class, or a new one', maxlength: 80, autocomplete: 'off',
  });
  const dialog = openDialog('Which class?', el('div', { class: 'picker' }, input, list));
  let options = [];
  let at = 0;

  function show() {
    const typed = input.value.trim();
    const matching = store.state.classes.filter((c) => c.name.toLowerCase().includes(typed.toLowerCase()));
    matching.sort((a, b) => starts(b, typed) - starts(a, typed));
    options = matching.map((c) => ({ text: c.name, rank: store.rank(c.id), key: c.key, run: () => chosen(c.id) }));
    if (typed && !store.state.set.order && !store.state.classes.some((c) => c.name === typed)) {
      options.push({ text: `Add the class “${typed}”`, rank: -1, key: '', run: () => added(typed) });
    }
    at = 0;
    list.replaceChildren(...options.map((option, i) => el('div', {
      role: 'option', id: `found-${i}`, onclick: () => take(i),
    }, paint(el('span', { class: 'swatch' }), option.rank), option.text, option.key ? el('kbd', {}, option.key) : null)));
    mark();
  }

  function mark() {
    for (const [i, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(i === at));
    input.setAttribute('aria-activedescendant', options.length ? `found-${at}` : '');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  }

  function take(i) {
    dialog.close();
    options[i]?.run();
  }

  input.addEventListener('input', show);
  input.addEventListener('keydown', (e) => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      at = (at + (e.key === 'ArrowDown' ? 1 : options.length - 1)) % Math.max(1, options.length);
      mark();
      e.preventDefault();
    } else if (e.key === 'Enter' && options.length && !e.isComposing) {
      e.preventDefault();
      take(at);
    }
  });
  show();
  input.focus();
}

function starts(c, typed) {
  return c.name.toLowerCase().startsWith(typed.toLowerCase()) ? 1 : 0;
}
