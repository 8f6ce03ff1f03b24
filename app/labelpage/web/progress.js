// How far the labelling is: the learning curve of blind audits, whether to
// stop and why, and the labels of each class.

import { count, el, fill, number, percent, svg } from '/assets/dom.js';
import { doing, known, wanted } from '/assets/overview.js';
import { short } from '/assets/number.js';
import { swatch } from '/assets/chips.js';

export class ProgressView {
  name = 'progress';
  title = 'Progress';
  commands = [];
  #width = 0;

  constructor(app) {
    this.app = app;
    this.element = el('section', { class: 'progress-view', tabindex: '0', role: 'region', 'aria-label': 'Progress' });
    new ResizeObserver(([{ contentRect }]) => {
      if (Math.abs(contentRect.width - this.#width) > 8) this.#show();
    }).observe(this.element);
    app.store.addEventListener('state', () => { if (app.view === this) this.#show(); });
  }

  enter() {
    this.#show();
  }

  #show() {
    if (!this.element.clientWidth) return;
    this.#width = this.element.clientWidth;
    const { counts, curve, off, advice, model, classes, audited } = this.app.store.state;
    const { numbers, several } = this.app;
    const most = Math.max(1, ...classes.map((c) => c.count));
    fill(this.element,
      el('div', { class: 'figures' },
        figure(number(counts.labelled), `labelled of ${number(counts.points)}`),
        figure(number(counts.unsure), 'unsure'), figure(number(counts.none), numbers ? 'no number' : 'none of these'), figure(number(counts.skipped), 'skipped')),
      el('article', { class: advice?.stop ? 'advice stop' : 'advice' },
        el('h2', {}, advice?.stop ? 'You may stop' : 'Go on labelling'),
        el('ul', {}, (advice?.reasons ?? []).map((reason) => el('li', {}, reason))),
        el('p', { class: 'hint' }, `${known(model, counts.labelled, this.app)}.${model.busy && !model.error ? ` ${doing(model)}.` : ''}`),
        model.recipe ? el('p', { class: 'hint' }, `Model: ${model.recipe}`) : null),
      numbers ? el('article', {}, el('h2', {}, 'How far off, by blind audits'), off.length ? offTable(off) : few([], audited, numbers))
        : el('article', {}, el('h2', {}, several ? 'Share with all classes right, by blind audits' : 'Share that is right, by blind audits'),
        curve.length > 1 ? [chart(curve, Math.max(260, Math.min(this.#width - 46, 772))), told(curve)] : few(curve, audited), off.length ? [el('h3', {}, 'Ranks off'), offTable(off)] : []),
      model.told.length ? el('article', { class: 'told' }, el('h2', {}, 'Error to expect, by held-out labels'),
        model.told.map((sentence) => el('p', {}, sentence)),
        model.choice && model.chosen < model.labels ? el('p', { class: 'hint' }, `By the ${count(model.chosen, 'label')} that there were when the parameters were chosen.`) : null,
        model.choice?.error === undefined ? null
          : el('p', { class: 'hint' }, 'The model asks for rows that are harder than most. By such labels the error mostly looks larger than that of the other rows. Blind audits are of all rows alike.')) : null,
      numbers ? null : el('article', {}, el('h2', {}, 'Labels of each class'),
        el('dl', { class: 'class-bars' }, classes.map((c) => el('div', {},
          el('dt', {}, swatch(this.app.store, c.id), c.name),
          el('dd', {}, el('meter', { min: 0, max: most, value: c.count, 'aria-hidden': 'true' }), el('span', { class: 'figure' }, number(c.count))))))));
  }
}

// offTable tells how far predicted numbers, or ranks, were off, ten audits a line.
function offTable(points) {
  return el('table', {}, el('thead', {}, el('tr', {}, ['Labels', 'Off in the mean', 'From', 'To', 'Audited'].map((h) => el('th', { scope: 'col' }, h)))),
    el('tbody', {}, points.map((p) => el('tr', {}, [number(p.labels), short(p.off), short(p.low), short(p.high), number(p.audited)].map((v) => el('td', { class: 'figure' }, v))))));
}

// few is the text in place of a curve with fewer than two points, or of the first figure about numbers.
function few([only], audited, numbers) {
  return [el('p', {}, only ? `${sentence(only)}. The curve begins with the next blind audit.`
    : numbers ? `The first figure appears ${wanted(audited)}.` : `The first share appears ${wanted(audited)}, and the curve with the next one.`),
  el('p', { class: 'hint' }, 'Blind audits are random points that you label without seeing a prediction. Some come by themselves; choose “Blind audit” in the view Label for more.')];
}

function figure(value, text) {
  return el('p', { class: 'big' }, el('strong', { class: 'figure' }, value), el('span', {}, text));
}

const margin = { left: 46, right: 16, top: 12, bottom: 40 };

// chart draws the curve with its 95 % interval.
function chart(points, width) {
  const height = Math.max(190, Math.min(280, width * 0.45));
  const last = Math.max(1, points.at(-1).labels);
  const first = points[0].labels;
  const least = Math.max(0, Math.min(...points.map((p) => p.low)));
  const step = least > 0.75 ? 0.05 : least > 0.5 ? 0.1 : 0.2;
  const low = Math.min(1 - step, Math.floor(least / step + 1e-9) * step);
  const x = (n) => margin.left + (width - margin.left - margin.right) * (n - first) / Math.max(1, last - first);
  const y = (share) => height - margin.bottom - (height - margin.top - margin.bottom) * (share - low) / (1 - low || 1);
  const at = (f) => points.map((p) => `${x(p.labels).toFixed(1)},${y(f(p)).toFixed(1)}`);
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, class: 'chart', role: 'img', 'aria-label': summary(points) });
  for (let share = low; share < 1.001; share += step) {
    picture.append(svg('line', { class: 'grid', x1: margin.left, x2: width - margin.right, y1: y(share), y2: y(share) }),
      svg('text', { x: margin.left - 8, y: y(share) + 4, 'text-anchor': 'end' }, percent(share)));
  }
  for (const n of ticks(first, last, width < 420 ? 4 : 7)) {
    picture.append(svg('text', { x: x(n), y: height - margin.bottom + 18, 'text-anchor': 'middle' }, number(n)));
  }
  picture.append(svg('text', { x: (margin.left + width - margin.right) / 2, y: height - 4, 'text-anchor': 'middle' }, 'labels'),
    svg('polygon', { class: 'interval', points: [...at((p) => p.high), ...at((p) => p.low).reverse()].join(' ') }),
    svg('polyline', { class: 'curve-line', points: at((p) => p.right).join(' ') }),
    ...points.map((p) => svg('circle', { class: 'knot', cx: x(p.labels), cy: y(p.right), r: 3 }, svg('title', {}, sentence(p)))));
  return el('div', { class: 'chart-frame' }, picture);
}

function ticks(from, to, most) {
  const rough = (to - from) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough));
  const all = [];
  for (let n = Math.ceil(from / step) * step; n <= to; n += step) all.push(n);
  return all;
}

function sentence(p) {
  return `${count(p.labels, 'label')}: ${percent(p.right)} right, ${percent(p.low)} to ${percent(p.high)}, of ${count(p.audited, 'audited point')}`;
}

function summary(points) {
  return `Learning curve. ${sentence(points[0])}. ${sentence(points.at(-1))}.`;
}

// told is the curve as a table, for those who do not see it.
function told(points) {
  return el('details', {}, el('summary', {}, 'As a table'),
    el('table', {}, el('thead', {}, el('tr', {}, ['Labels', 'Right', 'From', 'To', 'Audited'].map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, points.map((p) => el('tr', {}, [number(p.labels), percent(p.right), percent(p.low), percent(p.high), number(p.audited)].map((v) => el('td', { class: 'figure' }, v)))))));
}
