// Under the classes: how far the labelling is, what the machine does, and
// whether to stop.

import { count, el, fill, number, percent } from '/assets/dom.js';
import { short } from '/assets/number.js';

const fewestAudits = 10; // that tell how much is right

export class Overview {
  constructor(app) {
    this.app = app;
    this.element = el('section', { class: 'overview', 'aria-label': 'Progress' });
    app.store.addEventListener('state', () => this.show());
    this.show();
  }

  show() {
    const { counts, model, curve, off, advice, audited } = this.app.store.state;
    const { numbers } = this.app;
    const last = (numbers ? off : curve).at(-1);
    fill(this.element,
      line('Labelled', number(counts.labelled), `of ${number(counts.points)}`),
      numbers ? line('Off by', last ? short(last.off) : '', last ? `${short(last.low)} to ${short(last.high)}` : wanted(audited))
        : line('Right', last ? percent(last.right) : '', last ? `${(100 * last.low).toFixed(0)} to ${percent(last.high)}` : wanted(audited)),
      el('p', { class: model.error ? 'machine bad' : 'machine' }, known(model, counts.labelled, this.app)),
      model.busy && !model.error ? el('p', { class: 'machine doing' }, doing(model)) : null,
      advice?.stop ? el('p', { class: 'stop' }, el('strong', {}, 'You may stop. '), el('a', { href: '#progress' }, 'Why')) : null);
  }
}

function line(name, value, beside) {
  return el('p', { class: 'line' }, el('span', {}, name), el('strong', { class: 'figure' }, value), el('small', {}, beside));
}

// wanted names the number of audits missing for a first share.
export function wanted(audited) {
  return `after ${count(fewestAudits - audited, audited ? 'more blind audit' : 'blind audit')}`;
}

// known says which of the labels the model has learnt.
export function known(model, labelled, { numbers, several }) {
  if (model.error) return model.error;
  if (model.labels < labelled) return `The model has ${number(model.labels)} of ${count(labelled, 'label')}`;
  return model.decides ? `The model has all ${count(labelled, 'label')}` : `The model waits for ${numbers ? 'two numbers that differ' : several ? 'two rows with other classes' : 'labels of two classes'}`;
}

// doing names the program's present task, with the progress of a longer one.
export function doing({ stage, share }) {
  return `Now: ${stage || 'learning'}${share > 0 && share < 1 ? `, ${percent(share)}` : ''}`;
}
