// Many points on a canvas: every frame writes all of them into an image.

const emptyLight = 0xffc4bfb9;
const emptyDark = 0xff57524e;
const leastMagnified = 0.25;
const mostMagnified = 4000;

export class Scatter {
  #image = null;
  #pixels = null;
  #discs = new Map();
  view = { x: 0.5, y: 0.5, zoom: 1 }; // centre in [0,1]², and magnification

  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext('2d', { alpha: false });
    this.points = new Float32Array(0);
    this.colours = new Uint32Array(0); // 0: nothing known of the point
    this.over = new Uint8Array(0); // 1: drawn larger and above the others
  }

  resize() {
    const { canvas } = this;
    const width = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
    const height = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio));
    if (canvas.width === width && canvas.height === height && this.#image) return;
    canvas.width = width;
    canvas.height = height;
    this.#image = this.pen.createImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#discs.clear();
  }

  // scale is the number of pixels of the canvas that [0,1] takes.
  get scale() {
    return 0.92 * Math.min(this.canvas.width, this.canvas.height) * this.view.zoom;
  }

  // place gives a position on the page's canvas, in CSS pixels.
  place(x, y) {
    const s = this.scale;
    return [(this.canvas.width / 2 + (x - this.view.x) * s) / devicePixelRatio, (this.canvas.height / 2 + (y - this.view.y) * s) / devicePixelRatio];
  }

  // at is the inverse of place.
  at(left, top) {
    const s = this.scale;
    return [this.view.x + (left * devicePixelRatio - this.canvas.width / 2) / s, this.view.y + (top * devicePixelRatio - this.canvas.height / 2) / s];
  }

  pan(dx, dy) {
    const s = this.scale / devicePixelRatio;
    this.view.x = clamp(this.view.x - dx / s, -0.2, 1.2);
    this.view.y = clamp(this.view.y - dy / s, -0.2, 1.2);
  }

  // zoom magnifies about a fixed place of the canvas.
  zoom(factor, left = this.canvas.clientWidth / 2, top = this.canvas.clientHeight / 2) {
    const [x, y] = this.at(left, top);
    this.view.zoom = clamp(this.view.zoom * factor, leastMagnified, mostMagnified);
    const [nowX, nowY] = this.at(left, top);
    this.view.x += x - nowX;
    this.view.y += y - nowY;
  }

  // fit shows everything beside what covers the canvas, in CSS pixels from its edges.
  fit({ left, top, bottom }) {
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [clientWidth - left, clientHeight - top - bottom];
    this.view.zoom = clamp(Math.min(width, height) / Math.min(clientWidth, clientHeight), leastMagnified, 1);
    const scale = this.scale / devicePixelRatio;
    const [x, y] = this.#middle();
    this.view.x = x - left / 2 / scale;
    this.view.y = y - (top - bottom) / 2 / scale;
  }

  // middle is that of the points, which need not fill [0,1]².
  #middle() {
    const { points } = this;
    const least = [1, 1], most = [0, 0];
    for (let i = 0; i < points.length; i++) {
      if (points[i] < least[i % 2]) least[i % 2] = points[i];
      if (points[i] > most[i % 2]) most[i % 2] = points[i];
    }
    return points.length ? least.map((low, axis) => (low + most[axis]) / 2) : [0.5, 0.5];
  }

  // show moves a box of [0,1]² into the uncovered part of the canvas, no farther than
  // needed. It zooms out where the box is too large.
  show([x0, y0, x1, y1], { left = 0, top = 0, right = 0, bottom = 0 }) {
    const { clientWidth, clientHeight } = this.canvas;
    const s = this.scale / devicePixelRatio;
    this.zoom(Math.min(1, (clientWidth - left - right) / (x1 - x0) / s, (clientHeight - top - bottom) / (y1 - y0) / s));
    const [fromX, fromY] = this.place(x0, y0);
    const [toX, toY] = this.place(x1, y1);
    const moved = this.scale / devicePixelRatio;
    this.view.x += (Math.max(0, toX - clientWidth + right) + Math.min(0, fromX - left)) / moved;
    this.view.y += (Math.max(0, toY - clientHeight + bottom) + Math.min(0, fromY - top)) / moved;
  }

  // draw takes time in proportion to points and pixels of the canvas.
  draw(ground, dark) {
    this.resize();
    this.#pixels.fill(ground);
    const empty = dark ? emptyDark : emptyLight;
    const n = this.colours.length;
    const room = this.canvas.width * this.canvas.height / Math.max(1, n);
    const size = clamp(Math.sqrt(room) * 0.34 * Math.sqrt(this.view.zoom), 1.5 * devicePixelRatio, 7 * devicePixelRatio);
    this.#layer(0, this.#disc(size), null, ground, empty);
    this.#layer(1, this.#disc(size * 1.4 + devicePixelRatio), this.#disc(size * 1.4 + 2.4 * devicePixelRatio), ground, empty);
    this.pen.putImageData(this.#image, 0, 0);
  }

  #layer(which, disc, rim, ground, empty) {
    const { points, colours, over } = this;
    const pixels = this.#pixels;
    const { width, height } = this.canvas;
    const s = this.scale;
    const left = width / 2 - this.view.x * s;
    const top = height / 2 - this.view.y * s;
    const reach = (rim ?? disc).reach;
    const right = width - reach - 1;
    const bottom = height - reach - 1;
    for (let i = 0; i < colours.length; i++) {
      if (over[i] !== which) continue;
      const x = (left + points[2 * i] * s) | 0;
      const y = (top + points[2 * i + 1] * s) | 0;
      if (x < reach || y < reach || x > right || y > bottom) continue;
      const centre = y * width + x;
      const colour = colours[i] || empty;
      if (rim) for (const offset of rim.offsets) pixels[centre + offset] = ground;
      for (const offset of disc.offsets) pixels[centre + offset] = colour;
    }
  }

  // disc lists what to add to a pixel's index for a disc around it.
  #disc(diameter) {
    const d = Math.max(1, Math.round(diameter));
    if (!this.#discs.has(d)) {
      const reach = d >> 1;
      const middle = (d - 1) / 2;
      const offsets = [];
      for (let y = 0; y < d; y++) {
        for (let x = 0; x < d; x++) {
          if ((x - middle) ** 2 + (y - middle) ** 2 <= d * d / 4) offsets.push((y - reach) * this.canvas.width + x - reach);
        }
      }
      this.#discs.set(d, { reach, offsets: Int32Array.from(offsets) });
    }
    return this.#discs.get(d);
  }
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}
