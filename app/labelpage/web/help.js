// The overlay with all keys.

import { el, keycap } from '/assets/dom.js';
import { openDialog } from '/assets/dialogs.js';
import { shown } from '/assets/keys.js';

export function openHelp(app) {
  const classes = app.numbers ? { keys: ['0', '…', '9', '.', '-'], text: 'A number, by its digits' }
    : { keys: ['1', '…', '9', 'a', '…'], text: 'Classes, by the keys in the list' };
  const lists = [[`In this view: ${app.view.title}`, [classes, ...app.view.commands]], ['Everywhere', app.pageCommands]];
  openDialog('Keys', el('div', { class: 'help' }, lists.map(([heading, commands]) => el('section', {},
    el('h3', {}, heading),
    el('dl', { class: 'keys' }, commands.map(({ keys, text }) => [
      el('dt', {}, keys.map((name) => (name === '…' ? name : keycap(shown(name))))), el('dd', {}, text)]))))), { className: 'broad' });
}
