// One point as people see it: an image, a text, the fields of a row, a curve.

import { el, number } from '/assets/dom.js';
import { curve } from '/assets/curve.js';

// largest is the side of an enlarged image, in pixels.
function largest() {
  return Math.max(140, Math.min(448, innerWidth - 32, innerHeight * (innerWidth < 760 ? 0.38 : 0.5)));
}

// renderItem draws a point; small is for grids and previews.
export function renderItem(point, set, small = false) {
  const body = content(point, set, small);
  body.classList.add('item', small ? 'small' : 'large');
  return body;
}

function content(point, set, small) {
  if (point.image) return image(point, set, small);
  if (point.text !== undefined && point.text !== null) return text(point.text, small);
  if (point.fields) return fields(point.fields, small);
  return curve(point, small);
}

// image enlarges by whole factors, so that pixels stay square and sharp.
function image(point, set, small) {
  const { width = 0, height = 0 } = set;
  const picture = el('img', { src: point.image, alt: point.name, draggable: 'false', decoding: 'sync' });
  if (width && height) {
    picture.width = width;
    picture.height = height;
    if (width <= 128 && height <= 128) picture.classList.add('crisp');
    if (!small) {
      const factor = largest() / Math.max(width, height);
      picture.width = width * (factor > 1 ? Math.floor(factor) : factor);
      picture.height = height * (factor > 1 ? Math.floor(factor) : factor);
    }
  }
  return el('div', { class: 'image' }, picture);
}

function text(words, small) {
  const length = words.length > 1200 ? 'long' : words.length > 280 ? 'middling' : 'short';
  return el('div', { class: `text ${length}`, dir: 'auto', tabindex: small ? null : '0', role: small ? null : 'group', 'aria-label': small ? null : 'Text' },
    small ? words.slice(0, 300) : words);
}

function fields(all, small) {
  const shown = small ? all.filter((f) => f.value !== '').slice(0, 5) : all;
  const list = el('dl', {}, shown.map(({ name, value }) => el('div', { class: String(value).length > 60 ? 'wide' : null },
    el('dt', {}, name),
    value === '' || value === null ? el('dd', { class: 'missing', 'aria-label': 'missing' }, '–')
      : el('dd', { class: isNumber(value) ? 'figure' : null, dir: 'auto' }, String(value)))));
  return el('div', { class: 'fields', tabindex: small ? null : '0', role: small ? null : 'group', 'aria-label': small ? null : 'Fields' }, list);
}

function isNumber(value) {
  return value !== '' && Number.isFinite(Number(value));
}

// spoken is a point in a few words, for screen readers.
export function spoken(point) {
  if (point.text) return point.text.slice(0, 160);
  if (point.fields) return point.fields.slice(0, 6).map((f) => `${f.name} ${f.value || 'missing'}`).join(', ');
  if (point.values) {
    const [low, high] = [Math.min(...point.values), Math.max(...point.values)];
    return `curve of ${number(point.values.length)} values from ${round(low)} to ${round(high)}`;
  }
  return point.name;
}

export function round(value) {
  return Number(value.toPrecision(4)).toString();
}
