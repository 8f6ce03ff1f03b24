// A vector as a curve on a canvas, redrawn when its size or the theme changes.

import { el } from '/assets/dom.js';
import { round, spoken } from '/assets/item.js';

const drawers = new WeakMap();

// redrawCurves draws the curves on the page anew, in the colours of the theme.
export function redrawCurves() {
  for (const frame of document.querySelectorAll('.curve')) drawers.get(frame)?.();
}

export function curve(point, small) {
  const canvas = el('canvas', { role: 'img', 'aria-label': `${point.name}: ${spoken(point)}` });
  const frame = el('div', { class: 'curve' }, canvas);
  const draw = () => paint(canvas, frame, point.values, small);
  new ResizeObserver(draw).observe(frame);
  drawers.set(frame, draw);
  if (small) return frame;
  const reading = el('p', { class: 'reading', 'aria-hidden': 'true' });
  frame.append(reading);
  canvas.addEventListener('pointermove', (e) => {
    const at = Math.round((e.offsetX - margin.left) / (canvas.clientWidth - margin.left - margin.right) * (point.values.length - 1));
    reading.textContent = at >= 0 && at < point.values.length ? `${at + 1}: ${round(point.values[at])}` : '';
  });
  canvas.addEventListener('pointerleave', () => { reading.textContent = ''; });
  return frame;
}

const margin = { left: 52, right: 12, top: 12, bottom: 24 };

function paint(canvas, frame, values, small) {
  const width = frame.clientWidth;
  const height = canvas.clientHeight;
  if (!width || !height || !values.length) return;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const style = getComputedStyle(frame);
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  const m = small ? { left: 6, right: 6, top: 8, bottom: 8 } : margin;
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  const room = high > low ? high - low : 1;
  const x = (i) => m.left + (width - m.left - m.right) * (values.length > 1 ? i / (values.length - 1) : 0.5);
  const y = (v) => height - m.bottom - (height - m.top - m.bottom) * (v - low) / room;
  if (!small) axes(pen, { style, muted: getComputedStyle(canvas).color, low, high, x, y, width, last: values.length });
  pen.strokeStyle = style.color;
  pen.lineWidth = small ? 1.25 : 1.75;
  pen.lineJoin = 'round';
  pen.beginPath();
  values.forEach((v, i) => pen.lineTo(x(i), y(v)));
  pen.stroke();
}

function axes(pen, { style, muted, low, high, x, y, width, last }) {
  pen.font = `12px ${style.fontFamily}`;
  pen.fillStyle = muted;
  pen.strokeStyle = style.borderTopColor;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  const levels = low < 0 && high > 0 ? [low, 0, high] : [low, (low + high) / 2, high];
  for (const level of levels) {
    pen.beginPath();
    pen.moveTo(x(0), y(level));
    pen.lineTo(width - margin.right, y(level));
    pen.stroke();
    if (level !== 0 || Math.min(y(low) - y(0), y(0) - y(high)) > 14) pen.fillText(round(level), x(0) - 8, y(level));
  }
  pen.textBaseline = 'top';
  pen.textAlign = 'left';
  pen.fillText('1', x(0), y(low) + 8);
  pen.textAlign = 'right';
  pen.fillText(String(last), x(last - 1), y(low) + 8);
}
