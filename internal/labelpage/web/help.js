// The overlay with all keys.

import { el, keycap } from '/assets/dom.js';
import { openDialog } from '/assets/dialogs.js';
import { shown } from '/assets/keys.js';

export function openHelp(app) {
  const lists = [[`In this view: ${app.view.title}`, app.view.commands], ['Everywhere', app.pageCommands]];
  const classes = el('section', {},
    el('h3', {}, 'Classes'),
    el('dl', { class: 'keys' }, app.store.state.classes.filter((c) => c.key).map((c) => [el('dt', {}, keycap(c.key)), el('dd', {}, c.name)])),
    el('p', {}, 'Any other class: Enter, and its first letters.'));
  const content = el('div', { class: 'help', tabindex: '0' },
    lists.map(([heading, commands]) => el('section', {},
      el('h3', {}, heading),
      el('dl', { class: 'keys' }, commands.map(({ keys, text }) => [
        el('dt', {}, keys.map((name) => keycap(shown(name)))), el('dd', {}, text)])))),
    classes);
  openDialog('Keys', content, { className: 'broad' }).querySelector('.help').focus();
}
