// Numbers as labels: what people type, the field for it, and the list beside the views.

import { el, fill, keycap, number } from '/assets/dom.js';
import { toast } from '/assets/tell.js';

// numberOf reads a number as people type it, with a point or a comma, and writes it plainly. It is null for any other text, also
// for one such as 1,500, which may be meant as either.
export function numberOf(text) {
  const plain = text.trim().replace('−', '-');
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(plain)) return null;
  const value = plain.replace(/^([^.,]*),([^.,]*)$/, '$1.$2');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value)) ? String(Number(value)) : null;
}

// refusal says why a text is no number.
export function refusal(text) {
  return /,\d{3}$/.test(text) ? `“${text}” may be two numbers: write it without the comma, or with a point` : `“${text}” is no number`;
}

// NumberField is where the number of the point on the page is typed. given gets it on Enter.
export class NumberField {
  constructor(given) {
    this.input = el('input', { id: 'number', inputmode: 'decimal', autocomplete: 'off', maxlength: 40, enterkeyhint: 'done' });
    this.element = el('form', { class: 'number' }, el('label', { for: 'number' }, 'Number'), this.input, el('button', { class: 'primary' }, 'Confirm', keycap('⏎')));
    this.element.addEventListener('submit', (e) => {
      e.preventDefault();
      const text = this.input.value;
      const value = numberOf(text);
      if (value !== null) given(value);
      else if (text.trim()) toast(refusal(text), 'bad');
      this.input.focus();
    });
  }

  // type begins a number, or goes on with it.
  type(key = '') {
    this.input.focus();
    this.input.value += key;
  }

  clear() {
    this.input.value = '';
  }
}

// Numbers tells beside every view what numbers there are.
export class Numbers {
  constructor(app) {
    this.app = app;
    this.list = el('dl', { class: 'sums of-numbers' });
    this.element = el('section', { class: 'classes' }, el('header', {}, el('h2', {}, 'Numbers')), this.list);
    app.store.addEventListener('state', () => this.show());
    this.show();
  }

  show() {
    const { numbers, counts } = this.app.store.state;
    const line = (name, value) => el('div', {}, el('dt', {}, name), el('dd', { class: 'figure' }, value));
    fill(this.list, line('Rows with a number', number(counts.labelled)),
      numbers ? [line('Smallest', short(numbers.low)), line('Median', short(numbers.median)), line('Largest', short(numbers.high))] : null);
  }

  flash() {} // there is no list of classes
}

// short writes a computed number with the digits that are worth reading.
export function short(value) {
  return String(Number(value.toPrecision(4)));
}
