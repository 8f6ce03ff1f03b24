// Keys. A command is { keys, text, run, repeat }: its keys as this file names
// them, what it does in words, and whether a held key repeats it.

// keyName is how a key press is written: z, shift+z, ctrl+z, 7, ?, Enter.
// Letters and digits fall back to their place on the keyboard, for layouts
// that write other scripts or want shift for digits.
function keyName(event) {
  let key = event.key;
  const place = /^(?:Key([A-Z])|(?:Digit|Numpad)(\d))$/.exec(event.code);
  if (place && !/^[a-zA-Z0-9]$/.test(key) && !(event.shiftKey && place[2])) key = place[1] ?? place[2];
  if (key === ' ') key = 'Space';
  if (key === 'Esc') key = 'Escape';
  const letter = /^[a-zA-Z]$/.test(key);
  if (letter) key = key.toLowerCase();
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push('ctrl');
  if (event.altKey) parts.push('alt');
  if (event.shiftKey && (letter || key.length > 1)) parts.push('shift');
  return [...parts, key].join('+');
}

const typed = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';
const pressed = 'button, a[href], summary, input, select, [role=menuitem]';

// belongsElsewhere reports whether the focused element wants the key itself.
function belongsElsewhere(name, target) {
  if (!(target instanceof Element)) return false;
  if (target.closest('dialog, .menu')) return true;
  if (target.matches('.number input')) return ofNumbers(name, target);
  if (target.matches(typed)) return name !== 'Escape';
  if (target.matches(pressed)) return ['Enter', 'Space', 'shift+Enter'].includes(name);
  if (target.matches('[role=slider]')) return name.startsWith('Arrow');
  return false;
}

// ofNumbers reports whether a field of a number wants a key: all that letters stand for goes on while it has the focus.
function ofNumbers(name, { value }) {
  if (/^(Arrow(Left|Right)|Home|End)$/.test(name)) return value !== '';
  return /^(\d|[-+.,e]|Backspace|Delete|Enter|Tab|shift\+Tab|ctrl\+[acvx])$/.test(name);
}

// listen gives key presses to commands(), or to classKey(key) where none
// wants one: letters, digits, and the signs of numbers. Keys held down label nothing more than once.
export function listen(commands, classKey) {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    const name = keyName(event);
    if (belongsElsewhere(name, event.target)) return;
    const command = commands().find((c) => c.keys.includes(name));
    if (command) {
      event.preventDefault();
      if (!event.repeat || command.repeat) command.run(event);
      return;
    }
    if (/^[a-z0-9.,-]$/.test(name) && !event.repeat && classKey(name)) event.preventDefault();
  });
}

const signs = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Space: 'space', Escape: 'Esc', '-': '−',
};

// shown is a key as people read it.
export function shown(name) {
  return name.split('+').map((part, i, all) => {
    if (part === '' && i === all.length - 1) return '+';
    if (part === 'ctrl') return 'Ctrl';
    if (part === 'shift') return 'Shift';
    return signs[part] ?? (all.length > 1 && part.length === 1 ? part.toUpperCase() : part);
  }).filter((part) => part !== '').join(' ');
}
