// Dialogs: a heading, content, and buttons that close it.

import { el } from '/assets/dom.js';
import { toast } from '/assets/tell.js';

// speakIn moves the live region and the toast into place, because readers
// neither see nor hear anything outside a modal dialog.
function speakIn(place) {
  place.append(document.getElementById('live'), document.getElementById('toast'));
}

// openDialog shows a modal dialog and gives focus back when it closes.
// Without a way out (needed) Escape does not close it.
export function openDialog(title, content, { needed = false, className = '' } = {}) {
  const before = document.activeElement;
  const id = `dialog-title-${document.querySelectorAll('dialog').length}`;
  const heading = el('h2', { id }, title);
  const close = needed ? null : el('button', {
    type: 'button', class: 'quiet close', 'aria-label': 'Close', onclick: () => dialog.close(),
  }, '×');
  const dialog = el('dialog', { class: className, 'aria-labelledby': id },
    el('header', {}, heading, close), content);
  dialog.addEventListener('cancel', (e) => { if (needed) e.preventDefault(); });
  dialog.addEventListener('click', (e) => { if (e.target === dialog && !needed) dialog.close(); });
  dialog.addEventListener('close', () => {
    speakIn([...document.querySelectorAll('dialog')].findLast((d) => d !== dialog) ?? document.body);
    dialog.remove();
    if (before?.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  speakIn(dialog);
  return dialog;
}

// ask has one line of text; answered gets it trimmed, when it is not empty or
// may be (empty), and not refused, which gives the reason. Long texts have a multi-line field. A value that is begun is gone on with.
export function ask({ title, text, value = '', action, long = false, empty = false, needed = false, begun = false, numeric = false, refused = () => '', answered }) {
  const field = el(long ? 'textarea' : 'input', {
    id: 'answer', rows: long ? 4 : null, maxlength: long ? 2000 : 80, autocomplete: 'off', inputmode: numeric ? 'decimal' : null, 'aria-describedby': 'answer-text',
  });
  field.value = value;
  const form = el('form', { method: 'dialog' },
    el('label', { for: 'answer', id: 'answer-text' }, text),
    field,
    el('footer', {}, long ? el('small', {}, 'Ctrl Enter saves') : null, el('button', { class: 'primary' }, action)));
  form.addEventListener('submit', (e) => {
    const answer = field.value.trim();
    if (!answer && !empty) {
      e.preventDefault();
      field.focus();
      return;
    }
    const why = answer ? refused(answer) : '';
    if (why) {
      e.preventDefault();
      toast(why, 'bad');
      return;
    }
    answered(answer);
  });
  if (long) {
    field.addEventListener('keydown', (e) => {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) form.requestSubmit();
    });
  }
  openDialog(title, form, { needed });
  field.focus();
  if (begun) field.setSelectionRange(value.length, value.length);
  else field.select();
}
