// Under the classes: how far the labelling is, what the machine does, and
// whether to stop.

import { count, el, fill, number, percent } from '/assets/dom.js';

const fewestAudits = 5;

export class Overview {
  constructor(app) {
    this.app = app;
    this.element = el('section', { class: 'overview', 'aria-label': 'Progress' });
    app.store.addEventListener('state', () => this.show());
    this.show();
  }

  show() {
    const { counts, model, curve, advice } = this.app.store.state;
    const last = curve.at(-1);
    const known = last?.audited >= fewestAudits;
    fill(this.element,
      line('Labelled', number(counts.labelled), `of ${number(counts.points)}`),
      line('Right', known ? percent(last.right) : '–', known ? `${(100 * last.low).toFixed(0)} to ${percent(last.high)}` : `after ${fewestAudits} blind audits`),
      el('p', { class: model.error ? 'machine bad' : 'machine' }, machine(model)),
      advice?.stop ? el('p', { class: 'stop' }, el('strong', {}, 'You may stop. '), el('a', { href: '#progress' }, 'Why')) : null);
  }
}

function line(name, value, beside) {
  return el('p', { class: 'line' }, el('span', {}, name), el('strong', { class: 'figure' }, value), el('small', {}, beside));
}

// machine says in one line what the model knows and does.
export function machine(model) {
  if (model.error) return model.error;
  if (model.busy) return `${model.stage || 'Learning'}${model.share > 0 && model.share < 1 ? ` ${percent(model.share)}` : '…'}`;
  return model.labels ? `Learned from ${count(model.labels, 'label')}` : 'Waits for labels of two classes';
}
