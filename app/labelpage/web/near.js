// The nearest point to a place of the map: points sorted into square cells.

const pointsPerCell = 8;

export class Near {
  // points are x and y in turn, within [0,1].
  constructor(points) {
    this.points = points;
    const n = points.length / 2;
    this.side = Math.max(1, Math.round(Math.sqrt(n / pointsPerCell)));
    const starts = new Uint32Array(this.side * this.side + 1);
    const cells = new Uint32Array(n);
    for (let i = 0; i < n; i++) {
      cells[i] = this.#row(points[2 * i + 1]) * this.side + this.#row(points[2 * i]);
      starts[cells[i] + 1]++;
    }
    for (let c = 0; c < starts.length - 1; c++) starts[c + 1] += starts[c];
    const next = starts.slice();
    this.order = new Uint32Array(n);
    for (let i = 0; i < n; i++) this.order[next[cells[i]]++] = i;
    this.starts = starts;
  }

  #row(x) {
    return Math.min(this.side - 1, Math.max(0, Math.floor(x * this.side)));
  }

  // find answers the index of the point nearest to (x, y), or −1 where none
  // is within reach.
  find(x, y, reach) {
    let best = -1;
    let bestSquare = reach * reach;
    for (let v = this.#row(y - reach); v <= this.#row(y + reach); v++) {
      for (let u = this.#row(x - reach); u <= this.#row(x + reach); u++) {
        const cell = v * this.side + u;
        for (let k = this.starts[cell]; k < this.starts[cell + 1]; k++) {
          const i = this.order[k];
          const square = (this.points[2 * i] - x) ** 2 + (this.points[2 * i + 1] - y) ** 2;
          if (square <= bestSquare) [best, bestSquare] = [i, square];
        }
      }
    }
    return best;
  }
}
