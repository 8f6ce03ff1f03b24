// One point as people see it: an image, a text, the fields of a row, a curve.

import { el, number } from '/assets/dom.js';
import { curve } from '/assets/curve.js';

const largest = 560; // pixels of the longer side of an image that stands alone

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

function image(point, set, small) {
  const { width = 0, height = 0 } = set;
  const picture = el('img', { src: point.image, alt: point.name, draggable: 'false', decoding: 'sync' });
  if (width && height) {
    picture.width = width;
    picture.height = height;
    if (width <= 128 && height <= 128) picture.classList.add('crisp');
  }
  return el('div', { class: 'image' }, picture);
}

// enlarge brings the image of a large item to the largest whole multiple of
// its size that a room of so many pixels holds, or shrinks it into the room.
export function enlarge(item, set, room) {
  const picture = item.querySelector('img');
  if (!picture || !set.width || !room.width) return;
  const factor = Math.min(room.width / set.width, room.height / set.height, largest / Math.max(set.width, set.height));
  const whole = factor > 1 ? Math.floor(factor) : factor;
  picture.width = set.width * whole;
  picture.height = set.height * whole;
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
