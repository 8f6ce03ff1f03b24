// Colours of classes. The ten are told apart with the common kinds of colour
// blindness, on light and on dark grounds. From the eleventh class on they
// come again, darker and then lighter, with another shape; and every class has its key and its name.

const palette = [
  '#2f7fd0', '#e8960c', '#0e9f78', '#c865a0', '#d9501e',
  '#5cb8ec', '#a99a0d', '#7a6cd8', '#96603c', '#6fcabb',
];

const shapes = ['disc', 'ring', 'square', 'frame'];

const tones = [[0, 0], [0, 0.4], [255, 0.45], [0, 0.65]]; // towards black or white, how far

export function colour(rank) {
  const [towards, share] = tones[Math.floor(rank / palette.length) % tones.length];
  const mixed = channels(palette[rank % palette.length]).map((c) => Math.round(c + (towards - c) * share));
  return `#${mixed.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
}

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

export function shape(rank) {
  return shapes[Math.floor(rank / palette.length) % shapes.length];
}

// paint gives an element the colour and shape of a class, by the object model.
export function paint(element, rank) {
  element.style.setProperty('--class', rank < 0 ? 'var(--faint)' : colour(rank));
  element.dataset.shape = rank < 0 ? 'ring' : shape(rank);
  return element;
}

// packed is a colour as ImageData keeps it on little-endian machines.
export function packed(hex) {
  const [r, g, b] = channels(hex);
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

// heat goes from calm to hot for shares 0 to 1: blue, grey, orange.
export function heat(share) {
  const stops = [[58, 110, 165], [150, 158, 168], [240, 140, 20]];
  const at = Math.min(1.999, Math.max(0, share * 2));
  const [from, to] = [stops[Math.floor(at)], stops[Math.floor(at) + 1]];
  const [r, g, b] = from.map((f, i) => Math.round(f + (to[i] - f) * (at % 1)));
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}
