// The legend of the map. A class in it shows itself alone when pressed.

import { el, number } from '/assets/dom.js';
import { named, swatch } from '/assets/chips.js';
import { short } from '/assets/number.js';

export class Legend {
  constructor(app, pressed) {
    this.app = app;
    this.pressed = pressed;
    this.element = el('div', { class: 'legend goes-on', role: 'group', 'aria-label': 'Legend' });
  }

  // show tells what the bytes of the points mean; alone is a class's rank.
  show(by, bytes, alone) {
    if (by === 'uncertainty' || this.app.numbers) {
      const { numbers } = this.app.store.state;
      const [low, high] = by === 'uncertainty' ? ['certain', 'uncertain'] : numbers ? [short(numbers.low), short(numbers.high)] : ['small', 'large'];
      this.element.replaceChildren(el('p', { class: 'scale' }, el('span', {}, low), el('span', { class: 'ramp' }), el('span', {}, high)));
      return;
    }
    const counts = new Uint32Array(256);
    for (const b of bytes) counts[b]++;
    const focused = [...this.element.children].indexOf(document.activeElement);
    this.element.replaceChildren(...this.app.store.state.classes.map((c, rank) => el('button', {
      type: 'button', 'aria-pressed': String(alone === rank), title: `Show ${c.name} alone`, onclick: () => this.pressed(rank),
    }, swatch(this.app.store, c.id), named(c.name), el('span', { class: 'figure' }, number(counts[rank + 1])))),
    el('p', { class: 'rest' }, el('span', { class: 'swatch none' }), el('span', { class: 'name' }, this.app.several ? 'none shown' : by === 'label' ? 'no label' : 'no prediction'), el('span', { class: 'figure' }, number(counts[0]))),
    this.app.several && alone === null ? el('p', { class: 'faint' }, 'Each point has the colour of its rarest class.') : '');
    if (focused >= 0) this.element.children[focused].focus();
  }
}
