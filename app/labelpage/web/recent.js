// The last points that were labelled, each a way back to it. One that is not
// on disk yet looks it.

import { el } from '/assets/dom.js';
import { stateChip } from '/assets/chips.js';
import { renderItem } from '/assets/item.js';

const shown = 10;

export class Recent {
  #cells = new WeakMap();

  constructor(app, chosen) {
    this.app = app;
    this.chosen = chosen;
    this.list = el('div', { class: 'strip' });
    this.nothing = el('p', { class: 'faint' }, 'What you label shows here: a click on it goes back.');
    this.element = el('div', { class: 'recent', role: 'group', 'aria-label': 'Labelled last' }, this.nothing, this.list);
  }

  show(trail, at) {
    const entries = trail.filter((e) => e.given).slice(-shown).reverse();
    this.list.replaceChildren(...entries.map((entry) => this.#cell(entry, trail[at])));
    this.nothing.hidden = entries.length > 0;
    this.list.hidden = !entries.length;
  }

  // cell draws an entry anew only when what it says has changed.
  #cell(entry, current) {
    const { kind, class: id, saved } = entry.given;
    const says = `${kind} ${id} ${saved} ${this.app.store.className(id)}`;
    let cell = this.#cells.get(entry);
    if (!cell || cell.says !== says) {
      const { set } = this.app.store.state;
      const picture = set.kind === 'image' || set.kind === 'vector' ? renderItem(entry.point, set, true) : el('span', { class: 'words' }, brief(entry.point));
      const button = el('button', {
        type: 'button', class: saved ? '' : 'unsaved', title: `${entry.point.name}: go back to it`, onclick: () => this.chosen(entry),
      }, picture, stateChip(this.app.store, { state: kind, class: kind === 'label' ? id : null }), saved ? null : el('span', { class: 'unseen' }, 'not saved yet'));
      cell = { says, button };
      this.#cells.set(entry, cell);
    }
    cell.button.toggleAttribute('aria-current', entry === current);
    return cell.button;
  }
}

function brief(point) {
  if (point.text) return point.text.slice(0, 60);
  const values = (point.fields ?? []).map((f) => f.value).filter((v) => v !== '').slice(0, 4);
  return values.length ? values.join(' · ') : point.name;
}
