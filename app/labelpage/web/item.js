// One point as people see it: an image, a text, the fields of a row, a curve.

import { el, number } from '/assets/dom.js';
import { curve } from '/assets/curve.js';

const magnified = 4; // times its size that a picture is shown at most
const sharp = 128; // dots of a side up to which they are drawn as squares
const fieldsOfATile = 5;

// renderItem draws a point; small is for grids and previews.
export function renderItem(point, set, small = false) {
  const body = content(point, set, small);
  body.classList.add('item', small ? 'small' : 'large');
  return body;
}

function content(point, set, small) {
  if (point.image) return image(point, set);
  if (point.text !== undefined && point.text !== null) return text(point, small);
  if (point.fields) return fields(point.fields, small);
  return curve(point, small);
}

function image(point, set) {
  const picture = el('img', { src: point.image, alt: point.name, draggable: 'false', decoding: 'sync' });
  if (set.width) bound(picture, set.width, set.height);
  else {
    picture.classList.add('coming');
    picture.addEventListener('load', () => bound(picture, picture.naturalWidth, picture.naturalHeight));
    picture.addEventListener('error', () => picture.classList.remove('coming'));
  }
  return el('div', { class: 'image' }, picture);
}

// bound limits the shown size of a picture to a few times its own.
function bound(picture, width, height) {
  picture.style.setProperty('--widest', `${magnified * width}px`);
  picture.style.setProperty('--highest', `${magnified * height}px`);
  picture.classList.remove('coming');
  picture.classList.toggle('crisp', width <= sharp && height <= sharp);
}

// enlarge scales the image of a large item to the largest size that fits the room, at most
// four times its own; small images in whole multiples.
export function enlarge(item, set, room) {
  const picture = item.querySelector('img');
  const width = set.width || picture?.naturalWidth;
  const height = set.height || picture?.naturalHeight;
  if (!width || !room.width) return;
  const factor = Math.min(room.width / width, room.height / height, magnified);
  const whole = factor > 1 && picture.classList.contains('crisp') ? Math.floor(factor) : factor;
  picture.width = width * whole;
  picture.height = height * whole;
}

function text({ text: words, fields = [], name }, small) {
  if (small) return el('div', { class: 'text', dir: 'auto' }, words.slice(0, 300));
  const length = words.length > 1200 ? 'long' : words.length > 280 ? 'middling' : 'short';
  const others = fields.filter(({ value }) => value !== name);
  return el('div', { class: `text goes-on ${length}`, dir: 'auto', tabindex: '0', role: 'group', 'aria-label': 'Text' }, words,
    others.length ? el('dl', { class: 'beside' }, others.map(({ name: column, value }) => el('div', {}, el('dt', {}, column), said(value)))) : null);
}

// said is the value of a field. An empty value is shown as a dash, so that all rows have the
// same fields.
function said(value, attributes = {}) {
  return value === '' || value === null ? el('dd', { class: 'missing', 'aria-label': 'missing' }, '–') : el('dd', { dir: 'auto', ...attributes }, String(value));
}

function fields(all, small) {
  const shown = small ? all.slice(0, fieldsOfATile) : all;
  const list = el('dl', {}, shown.map(({ name, value }) => el('div', { class: String(value).length > 60 ? 'wide' : null },
    el('dt', {}, name), said(value, { class: isNumber(value) ? 'figure' : null }))));
  return el('div', { class: small ? 'fields' : 'fields goes-on', tabindex: small ? null : '0', role: small ? null : 'group', 'aria-label': small ? null : 'Fields' }, list);
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
