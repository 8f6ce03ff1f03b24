// What the page says: to screen readers, in passing, and until closed.

import { el } from '/assets/dom.js';

const passing = 4000;
let hiding = 0;

// announce speaks to screen readers alone. The same text twice is spoken twice.
export function announce(text) {
  const live = document.getElementById('live');
  live.replaceChildren(el('p', {}, text));
}

// toast shows a line for some seconds.
export function toast(text, kind = '') {
  const toast = document.getElementById('toast');
  toast.textContent = text;
  toast.className = `toast ${kind}`;
  toast.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { toast.hidden = true; }, passing);
}

// notice keeps one line on the page for each name, until it is null.
export function notice(name, text, kind = 'warning') {
  const notices = document.getElementById('notices');
  const old = notices.querySelector(`[data-name="${name}"]`);
  if (old && old.textContent === text) return;
  old?.remove();
  if (text) notices.append(el('p', { class: `notice ${kind}`, 'data-name': name, role: 'alert' }, text));
}
