// Elements by one call. What comes from data is only ever set as text.

export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...present(children));
  return element;
}

// fill gives an element other children; null is none.
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined);
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// icon is a picture of icons.svg beside a text that says the same.
export function icon(name) {
  return svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `/assets/icons.svg#${name}` }));
}

export function keycap(text) {
  return el('kbd', {}, text);
}

// button has the look of a quiet action with its key beside it.
export function button(text, key, onclick, className = '') {
  return el('button', { type: 'button', class: className, onclick }, text, key ? keycap(key) : null);
}

const integers = new Intl.NumberFormat('en');

export function count(n, one, many = `${one}s`) {
  return `${integers.format(n)} ${n === 1 ? one : many}`;
}

const things = { image: ['image'], text: ['text'], table: ['row'], vector: ['vector'] };

// countPoints names points by what they are in a set.
export function countPoints(n, { kind, columns = [] }) {
  return count(n, ...kind === 'text' && columns.length > 1 ? things.table : things[kind]);
}

export function number(n) {
  return integers.format(n);
}

// percent keeps 99.7 % from being shown as 100 %, and 99.97 % too.
export function percent(share) {
  const p = Math.round(share * 1e5) / 1e3;
  const digits = p > 99 && p < 100 || p > 0 && p < 1 ? 1 : 0;
  return `${(digits ? Math.min(Math.max(p, 0.1), 99.9) : p).toFixed(digits)} %`;
}
