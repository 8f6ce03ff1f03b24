// The map of all points: what lies near each other in the graph lies near
// each other here. Panned, zoomed, coloured; regions of it can be labelled.

import { toast } from '/assets/tell.js';
import { binary } from '/assets/api.js';
import { button, el, icon } from '/assets/dom.js';
import { colour, heat, packed } from '/assets/colours.js';
import { follow } from '/assets/gestures.js';
import { Hover } from '/assets/hover.js';
import { Legend } from '/assets/legend.js';
import { Near } from '/assets/near.js';
import { Region } from '/assets/region.js';
import { Scatter } from '/assets/scatter.js';
import { oneAtATime } from '/assets/turns.js';

const askAgain = 700; // milliseconds, while the program makes the map
const step = 60; // pixels of an arrow key
const reach = 10; // pixels around the pointer
const gap = 8; // pixels around a region that is shown
const ringShare = 0.3; // radius of the keyboard's ring in the smaller side

export class MapView {
  name = 'map';
  title = 'Map';
  #by = 'prediction';
  #alone = null; // rank of the class that alone is coloured
  #bytes = {}; // of label, prediction, uncertainty
  #drawing = 0;
  #lassoing = false;
  #fitted = false;
  #version = 0; // of the places
  #making = true; // the places
  frames = 0; // drawn so far

  constructor(app) {
    this.app = app;
    this.canvas = el('canvas', { class: 'map-canvas', tabindex: '0', role: 'application', 'aria-label': 'Map of all points' });
    this.overlay = el('canvas', { class: 'map-overlay', 'aria-hidden': 'true' });
    this.note = el('p', { class: 'map-note', role: 'status' }, 'Making the map…');
    this.scatter = new Scatter(this.canvas);
    this.legend = new Legend(app, (rank) => this.#single(rank));
    this.hover = new Hover(app, (row) => this.#byRow(row));
    this.region = new Region(app, { shown: (polygon) => this.#reveal(polygon), closed: () => this.#outline(null) });
    this.by = el('select', { 'aria-label': 'Colour by', onchange: (e) => this.#colourBy(e.target.value) },
      [['prediction', 'Colour by prediction'], ['label', 'Colour by label'], ['uncertainty', 'Colour by uncertainty']].map(([value, text]) => el('option', { value }, text)));
    this.selecting = button('Select a region', 'x', () => this.#lasso());
    this.selecting.prepend(icon('lasso'));
    this.selecting.setAttribute('aria-pressed', 'false');
    const tool = (name, text, run) => el('button', { type: 'button', class: 'tool', title: text, 'aria-label': text, onclick: run }, icon(name));
    this.tools = el('div', { class: 'map-tools' }, this.by, this.selecting,
      tool('plus', 'Nearer (+)', () => this.#zoom(1.5)), tool('minus', 'Farther (−)', () => this.#zoom(1 / 1.5)), tool('fit', 'Everything (Home)', () => this.#fit()));
    this.element = el('section', { class: 'map-view', 'aria-label': 'Map' },
      this.canvas, this.overlay, this.note,
      this.tools,
      this.legend.element, this.region.element, this.hover.element);
    this.#follow();
    this.canvas.addEventListener('blur', () => this.canvas.classList.remove('held'));
    const sizes = new ResizeObserver(() => this.#resized());
    sizes.observe(this.canvas);
    sizes.observe(this.region.element);
    app.store.addEventListener('state', () => { if (app.view === this && this.near) this.#renew(); });
  }

  get commands() {
    return [
      { keys: ['+', '='], text: 'Nearer', run: () => this.#zoom(1.25), repeat: true },
      { keys: ['-'], text: 'Farther', run: () => this.#zoom(0.8), repeat: true },
      { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], text: 'Move', run: (e) => this.#move(e.key), repeat: true },
      { keys: ['Home'], text: 'Everything', run: () => this.#fit() },
      { keys: ['x'], text: 'Select a region: draw around it, or move the ring over it and press Enter', run: () => this.#lasso() },
      { keys: ['Enter'], text: 'Select what the ring holds; without a ring, open the point in the middle', run: () => this.#enter() },
      { keys: ['Escape'], text: 'Leave the selection', run: () => this.#escape() },
    ];
  }

  // old tells whether points were added or all points got new places.
  get #old() {
    return this.app.store.state.model.map !== this.#version;
  }

  // renew brings places and colours up to date.
  #renew = oneAtATime(async () => {
    if (!this.near || this.#old) await this.#places();
    await this.#colours();
  });

  async enter() {
    this.#hold();
    await this.#renew();
    if (this.#fitted || this.app.view !== this) return;
    this.#fitted = true;
    this.#fit();
  }

  leave() {
    this.hover.hide();
    if (this.region.open) this.region.close();
    this.#lasso(false);
  }

  changed() {
    this.#renew();
  }

  aim() {
    if (!this.region.open) return () => toast('Select a region first: x');
    const { content } = this.region;
    return (id) => this.region.label(id, content);
  }

  // places asks for the places, again and again while they are made.
  async #places() {
    for (;;) {
      const buffer = await binary('/api/map').catch(() => null);
      if (buffer) {
        [this.#version] = new Uint32Array(buffer, 4, 1);
        this.scatter.points = new Float32Array(buffer, 8);
        this.near = new Near(this.scatter.points);
        this.#making = false;
        this.#tell();
        return;
      }
      this.#making = true;
      this.#tell();
      await new Promise((resolve) => { setTimeout(resolve, askAgain); });
    }
  }

  // colours asks for the colours on show, and for labels for the regions.
  async #colours() {
    const wanted = [...new Set(['label', this.#by])];
    const buffers = await Promise.all(wanted.map((by) => binary(`/api/map/colours?by=${by}${this.#oneClass()}`).catch(() => null)));
    const n = this.scatter.points.length / 2; // more rows may be there than have places
    wanted.forEach((by, i) => { if (buffers[i]) this.#bytes[by] = new Uint8Array(buffers[i], 4, Math.min(n, buffers[i].byteLength - 4)); });
    this.#dye();
  }

  #dye() {
    const bytes = this.#bytes[this.#by];
    if (!bytes || !this.#bytes.label) return;
    const table = this.#table();
    this.scatter.colours = Uint32Array.from(bytes, (b) => table[b]);
    this.scatter.over = this.#bytes.label.map((b, i) => (b > 0 && table[bytes[i]] ? 1 : 0));
    const labelled = this.#bytes.label.reduce((sum, b) => sum + (b > 0), 0);
    this.canvas.setAttribute('aria-label', `Map of ${this.app.store.points(bytes.length)}, ${labelled} of them labelled`);
    this.legend.show(this.#by, bytes, this.#alone);
    this.redraw();
  }

  // table gives the colour of each byte, 0 for none.
  #table() {
    const { length } = this.app.store.state.classes;
    return Uint32Array.from({ length: 256 }, (_, b) => {
      if (this.#by === 'uncertainty' || this.app.numbers) return b ? heat((b - 1) / 254) : 0;
      const shown = b > 0 && b <= length && (this.#alone === null || this.#alone === b - 1);
      return shown ? packed(colour(b - 1)) : 0;
    });
  }

  // redraw draws once before the next frame, however often it is asked.
  redraw() {
    if (this.#drawing) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      if (!this.element.isConnected) return;
      const [r, g, b] = getComputedStyle(this.canvas).backgroundColor.match(/\d+/g).map(Number);
      this.scatter.draw((255 << 24 | b << 16 | g << 8 | r) >>> 0, r < 128);
      this.frames++;
      this.#drawOverlay();
    });
  }

  #colourBy(by) {
    this.#by = by;
    this.by.blur();
    this.#alone = null;
    this.#renew();
  }

  // single shows one class alone, or all again.
  #single(rank) {
    this.#alone = this.#alone === rank ? null : rank;
    if (this.app.several) this.#renew();
    else this.#dye();
  }

  // oneClass asks for the class that alone is shown, of points that may have several.
  #oneClass() {
    const { id } = this.app.several ? this.app.store.state.classes[this.#alone] ?? {} : {};
    return id === undefined ? '' : `&class=${id}`;
  }

  #byRow(row) {
    const classes = this.app.store.state.classes;
    const at = (by) => classes[(this.#bytes[by]?.[row - 1] ?? 0) - 1]?.id;
    return { label: at('label'), prediction: this.#by === 'prediction' ? at('prediction') : undefined };
  }

  #follow() {
    const nearest = (left, top) => {
      if (!this.near) return -1;
      const [x, y] = this.scatter.at(left, top);
      return this.near.find(x, y, reach * devicePixelRatio / this.scatter.scale);
    };
    follow(this.canvas, {
      pan: (dx, dy) => { this.scatter.pan(dx, dy); this.redraw(); },
      zoom: (factor, left, top) => this.#zoom(factor, left, top),
      hover: (left, top) => this.hover.show(nearest(left, top) + 1, left, top),
      unhover: () => this.hover.hide(),
      click: (left, top) => {
        const at = nearest(left, top);
        if (at >= 0) this.hover.show(at + 1, left, top, true);
      },
      lassoing: (e) => this.#lassoing || e.shiftKey,
      lasso: (path, done) => {
        this.#outline(path?.map(([left, top]) => this.scatter.at(left, top)) ?? null);
        if (done && path) this.#select(this.outline);
      },
    });
  }

  #zoom(factor, left, top) {
    this.scatter.zoom(factor, left, top);
    this.hover.hide();
    this.redraw();
  }

  #move(key) {
    const [dx, dy] = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[key];
    this.scatter.pan(dx, dy);
    this.redraw();
  }

  // fit leaves room for the tools, and for the legend beside or below.
  #fit() {
    const { element } = this.legend;
    const beside = element.offsetWidth < this.canvas.clientWidth / 2;
    this.scatter.resize();
    this.scatter.fit({
      left: beside ? element.offsetLeft + element.offsetWidth : 0,
      top: this.tools.offsetTop + this.tools.offsetHeight,
      bottom: beside ? 0 : this.canvas.clientHeight - element.offsetTop,
    });
    this.redraw();
  }

  #lasso(on = !this.#lassoing) {
    this.#lassoing = on;
    this.selecting.setAttribute('aria-pressed', String(on));
    this.canvas.classList.toggle('lassoing', on);
    this.#tell();
    this.redraw();
  }

  #tell() {
    this.note.textContent = this.#lassoing ? 'Draw around points; or move the ring by arrows, + and −, then Enter' : this.#making ? 'Making the map…' : '';
  }

  #select(polygon) {
    this.#lasso(false);
    this.#outline(polygon);
    this.region.preview(thinned(polygon));
    this.#hold();
  }

  // hold focuses the map, without the focus ring for users of the Tab key.
  #hold() {
    this.canvas.classList.add('held');
    this.canvas.focus({ preventScroll: true });
  }

  // reveal moves the map so that a region lies beside its preview.
  #reveal(polygon) {
    const { offsetLeft, offsetTop, offsetWidth } = this.region.element;
    const { clientWidth, clientHeight } = this.canvas;
    const beside = offsetWidth < clientWidth / 2;
    this.scatter.resize();
    const room = { top: this.tools.offsetTop + this.tools.offsetHeight + gap, left: gap, right: gap, bottom: gap };
    if (beside) room.right += clientWidth - offsetLeft;
    else room.bottom += clientHeight - offsetTop;
    const [x, y] = [0, 1].map((axis) => polygon.map((corner) => corner[axis]));
    this.scatter.show([Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)], room);
    this.redraw();
  }

  // resized keeps the region beside its preview when map or preview change their size.
  #resized() {
    if (this.region.content) this.#reveal(this.outline);
    else this.redraw();
  }

  #enter() {
    const [left, top] = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    if (this.#lassoing) {
      const radius = ringShare * Math.min(left, top) * 2;
      return this.#select(Array.from({ length: 48 }, (_, i) => this.scatter.at(
        left + radius * Math.cos(i * Math.PI / 24), top + radius * Math.sin(i * Math.PI / 24))));
    }
    const at = this.near?.find(...this.scatter.at(left, top), 0.5) ?? -1;
    if (at >= 0) this.app.openRow(at + 1);
  }

  #escape() {
    if (this.region.open) this.region.close();
    else this.#lasso(false);
  }

  #outline(polygon) {
    this.outline = polygon;
    this.redraw();
  }

  // drawOverlay draws the lasso, or the ring of the keyboard.
  #drawOverlay() {
    const { canvas, overlay } = this;
    overlay.width = canvas.width;
    overlay.height = canvas.height;
    const pen = overlay.getContext('2d');
    pen.scale(devicePixelRatio, devicePixelRatio);
    pen.strokeStyle = getComputedStyle(overlay).color;
    pen.fillStyle = getComputedStyle(overlay).outlineColor;
    pen.lineWidth = 2;
    if (this.outline) {
      pen.beginPath();
      for (const [x, y] of this.outline) pen.lineTo(...this.scatter.place(x, y));
      pen.closePath();
      pen.fill();
      pen.stroke();
    } else if (this.#lassoing) {
      pen.setLineDash([6, 5]);
      pen.beginPath();
      pen.arc(canvas.clientWidth / 2, canvas.clientHeight / 2, ringShare * Math.min(canvas.clientWidth, canvas.clientHeight), 0, 2 * Math.PI);
      pen.stroke();
    }
  }
}

// thinned keeps at most 400 corners of a polygon.
function thinned(polygon) {
  const every = Math.ceil(polygon.length / 400);
  return polygon.filter((_, i) => i % every === 0);
}
