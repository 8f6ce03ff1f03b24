"""What the nearest training points add to the decisions of a model on landmarks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _points
from ._modelfile import Values
from ._points import Floats, Rows

ROWS, POINTS = 512, 4096  # rows and training points that are compared at a time,
VALUES = 1 << 22  # of these so many values
PAIRS = 1 << 20  # of them, that are compared once more


def local(header: dict[str, Any], machines: int, values: Values, scaling: _points.Scaling) -> Local:
    """Returns the Local that comes next among the values of a file, of so many machines."""
    points = _points.table(header["points"], values, scaling)
    residuals = np.stack([values.take("<f4", points.length) for _ in range(machines)], axis=1)
    values.take("u1", _index_bytes(header["index"], header["points"]["columns"]))
    return Local(points, residuals, header["neighbours"], header["metric"] == "cosine")


def _index_bytes(index: dict[str, Any], columns: int) -> int:
    """Returns the size of the index by which the program finds neighbours, which comes next among the values."""
    count, width, used = index["points"], index["width"], index.get("columns", 0)
    size = (8 * columns if index.get("centre") else 0) + 4 * used
    if index.get("directions"):
        size += 8 * (used or columns) * (width - 1)
    if index.get("cells"):
        rank = width - 1 if index.get("directions") else width
        return int(size + 4 * (count + index["cells"] + 1 + index["cells"] * rank))
    trees = index.get("depths") or []  # of a file of an older program
    return int(size + 4 * count * (index["neighbours"] + len(trees)) + sum(4 * (2**depth - 1) * (width + 1) for depth in trees))


class Local:
    """The means of the residuals of the k nearest training points.

    The nearest are found among all, by distances in float64; of equally far ones the first count. The
    program looks into cells with near centres, and so finds a few others now and then. Cost: rows times
    training points times features. Memory: some 200 MB, however many they are.
    """

    def __init__(self, points: _points.Table, residuals: NDArray[np.floating[Any]], neighbours: int, cosine: bool) -> None:
        self.points, self.residuals, self.neighbours, self.cosine = points, residuals, neighbours, cosine

    def values(self, x: Rows) -> Floats:
        """Returns what is added for scaled rows, (rows, machines)."""
        if self.points.sparse:
            x = sparse.csr_matrix(x)
        if self.cosine:
            x = _points.unit(x)
        added = np.empty((x.shape[0], self.residuals.shape[1]))
        for start in range(0, x.shape[0], ROWS):
            part = x[start:start + ROWS]
            part = part if self.points.sparse or not sparse.issparse(part) else part.toarray()
            with np.errstate(over="ignore", invalid="ignore"):  # of points so far that all are as far
                near = self._nearest(part)
            added[start:start + ROWS] = self.residuals[near].mean(axis=1, dtype=float)
        return added

    def _nearest(self, x: Rows) -> NDArray[np.intp]:
        """Returns the k nearest training points of every row, nearest first, (rows, k).

        Products of many points find all that may be among them, whatever is rounded; these are
        ranked by the sums of their squared differences.
        """
        k, count = self.neighbours, x.shape[0]
        best, row, point, least = np.empty((count, 0)), np.zeros(0, int), np.zeros(0, int), np.zeros(0)
        step = max(64, min(POINTS, VALUES // max(1, self.points.width)))
        for start in range(0, self.points.length, step):
            low, high = self._bounds(x, self._rows(slice(start, start + step)))
            best = np.hstack([best, high])
            if best.shape[1] > k:
                best = np.partition(best, k - 1, axis=1)[:, :k]
            limit = best.max(axis=1)
            r, c = np.nonzero(low <= limit[:, None])
            row, point, least = np.append(row, r), np.append(point, start + c), np.append(least, low[r, c])
            near = least <= limit[row]
            row, point, least = row[near], point[near], least[near]
            if len(row) > PAIRS and count > 1:  # many are equally far
                half = count // 2
                return np.vstack([self._nearest(x[:half]), self._nearest(x[half:])])
        squared = np.empty(len(row))
        step = max(1, PAIRS // max(1, self.points.width))
        for start in range(0, len(row), step):
            some = slice(start, start + step)
            a, b = x[row[some]], self._rows(point[some])
            squared[some] = self._metric(_points.squares(a - b), a, b)
        order = np.lexsort((point, squared, row))
        first = np.searchsorted(row[order], np.arange(count))
        return np.asarray(point[order][first[:, None] + np.arange(k)])

    def _rows(self, which: Any) -> Rows:
        b = self.points.rows(which)
        return _points.unit(b) if self.cosine else b

    def _bounds(self, x: Rows, b: Rows) -> tuple[Floats, Floats]:
        """Returns bounds of the squared distances of all rows of x to all of b."""
        u, v = x, b
        if not self.points.sparse:
            middle = b.mean(axis=0)  # so that the squares do not cancel
            u, v = x - middle, b - middle
        size = _points.squares(u)[:, None] + _points.squares(v)
        squared = self._metric(size - 2 * _points.products(u, v), x, b, all_pairs=True)
        error = 2 * (self.points.width + 8) * np.finfo(float).eps * size
        known = np.isfinite(squared)
        return np.where(known, squared - error, -np.inf), np.where(known, squared + error, np.inf)

    def _metric(self, squared: Floats, a: Rows, b: Rows, all_pairs: bool = False) -> Floats:
        """Returns squared distances, where a row of zeros is as far as a right angle from all by the cosine."""
        if not self.cosine:
            return squared
        a, b = _points.squares(a) == 0, _points.squares(b) == 0
        return np.where((a[:, None] if all_pairs else a) | b, 2, squared)
