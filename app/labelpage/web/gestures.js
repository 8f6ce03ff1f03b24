// Wheel, drag, pinch and lasso on the map's canvas.

const wheelStep = 0.0016;
const clickSlack = 4; // pixels that a click may move

// follow calls hooks.pan(dx, dy), zoom(factor, left, top), hover(left, top),
// unhover(), click(left, top), and lasso(path, done) while hooks.lassoing(e).
export function follow(canvas, hooks) {
  const pointers = new Map();
  let path = null;
  let moved = 0;
  let spread = 0;

  const position = (e) => {
    const box = canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };

  canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 24 : 1;
    hooks.zoom(Math.exp(-e.deltaY * lines * wheelStep * (e.ctrlKey ? 5 : 1)), ...position(e));
  }, { passive: false });

  canvas.addEventListener('pointerdown', (e) => {
    if (e.button > 0) return;
    canvas.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, position(e));
    moved = 0;
    spread = 0;
    hooks.unhover();
    if (pointers.size > 1) {
      if (path) hooks.lasso(path = null, false);
    } else if (hooks.lassoing(e)) path = [position(e)];
  });

  canvas.addEventListener('pointermove', (e) => {
    const to = position(e);
    const from = pointers.get(e.pointerId);
    if (!from) return e.pointerType === 'mouse' ? hooks.hover(...to) : undefined;
    moved += Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
    pointers.set(e.pointerId, to);
    if (path) {
      path.push(to);
      return hooks.lasso(path, false);
    }
    hooks.pan((to[0] - from[0]) / pointers.size, (to[1] - from[1]) / pointers.size);
    if (pointers.size === 2) pinch();
  });

  function pinch() {
    const [a, b] = [...pointers.values()];
    const now = Math.hypot(a[0] - b[0], a[1] - b[1]);
    if (spread) hooks.zoom(now / spread, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    spread = now;
  }

  function up(e) {
    if (!pointers.delete(e.pointerId)) return;
    spread = 0;
    if (path) {
      const whole = path;
      path = null;
      hooks.lasso(whole.length > 3 && e.type === 'pointerup' ? whole : null, true);
    } else if (e.type === 'pointerup' && moved < clickSlack && !pointers.size) hooks.click(...position(e));
  }
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', () => hooks.unhover());
}
