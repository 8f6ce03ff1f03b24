"""Points as a model describes them: pictures by gradients and learned filters, texts by latent components."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy import sparse

from ._modelfile import Values
from ._points import Floats, Rows, Scaling

SIDES = 24, 48  # the least and the greatest side of a picture that is described
FRAME = 1.2  # of an aligned picture, in sides of the picture
BEYOND = 1024.0  # the greatest magnitude of a value
ROWS = 16  # pictures at a time, which fit into a cache
DOT, SAID = 4000, 300  # multiplications that the gradient of a dot, and what is made of the output of a filter, take as long as
CELL, ORIENTATIONS, CUT = 4, 9, 0.2  # of gradients
SIDE, FLAT, THRESHOLD = 6, 0.1, 2.0  # of filters
LEAST = 1e-6  # share of its length that a text must have in the space of the components


class Description:
    """What a model file says of the points, before they are scaled: parts side by side."""

    def __init__(self, header: dict[str, Any], values: Values) -> None:
        self.names: list[str] = [part["name"] for part in header["parts"]]
        self._header = header
        self._parts = [_Part(part, values) for part in header["parts"]]
        self.texts = header.get("columns", 0) > 0
        self.aligned: bool = header.get("aligned", False)
        self.inputs: int = header["columns"] if self.texts else header["width"] * header["height"] * header["colours"]
        self.work: int = sum(part.components.size for part in self._parts)  # multiplications of a row, of those that tell
        if not self.texts:
            self._across, self._down = _resampling(header["width"]), _resampling(header["height"])
            dots, filters = len(self._across) * len(self._down), sum(part.filters.size for part in self._parts)
            self.work += dots * (DOT + filters + SAID * filters // (SIDE * SIDE * header["colours"]))

    def of(self, x: Rows) -> Floats:
        """Returns described rows, rounded to float32 as the program has them."""
        if self.texts:
            columns = sparse.csc_matrix(x)
            described = np.hstack([part.of_columns(columns) for part in self._parts])
        else:
            x = x.toarray() if sparse.issparse(x) else x
            described = np.concatenate([np.empty((0, sum(part.width for part in self._parts))), *(self._pictures(x[k:k + ROWS]) for k in range(0, len(x), ROWS))])
        return described.astype(np.float32).astype(float)

    def _pictures(self, x: Floats) -> Floats:
        header = self._header
        x = ((x - header.get("shift", 0)) * header["factor"]).clip(-BEYOND, BEYOND)
        planes = np.moveaxis(x.reshape(-1, header["height"], header["width"], header["colours"]), 3, 1)
        planes = _aligned(planes) if self.aligned else self._down @ planes @ self._across.T
        return np.hstack([(NUMBERS[part.name](planes, part.filters) - part.mean) @ part.components for part in self._parts])


OF_COLUMNS = ("latent", "rare-words", "word-vectors", "numbers", "vectors", "factors", "half-whitened")


class _Part:
    """A part of a description with the numbers that follow in the file."""

    def __init__(self, header: dict[str, Any], values: Values) -> None:
        self.name: str = header["name"]
        if self.name not in NUMBERS and self.name not in OF_COLUMNS:
            raise ValueError(f"{values.name}: the description {self.name} is not one that this loader knows: use a newer lapsvm")
        self.filters: Floats = values.take("<f4", header.get("filters", 0)).astype(float)
        self.mean: Floats = values.take("<f4", header.get("mean", 0)).astype(float)
        components = values.take("<f4", header.get("components", 0)).astype(float)
        self.columns: NDArray[np.int64] = np.concatenate([np.arange(0), *(np.arange(*run) for run in header.get("columns") or [])]).astype(int)
        inputs = max(len(self.mean), len(self.columns))
        self.components: Floats = components.reshape(inputs, -1) if components.size else np.empty((inputs, 0))
        self.scaling: Scaling | None = Scaling("columns", [values.take("<f8", header["scaled"]) for _ in range(4)]) if header.get("standardise") else None
        self.width: int = self.components.shape[1] or inputs

    def of_columns(self, x: Rows) -> Floats:
        """Returns what the part says of a sparse table."""
        x = x[:, self.columns]
        if self.scaling:
            scaled = np.asarray(self.scaling.of(x)).clip(-BEYOND, BEYOND)
            return scaled @ self.components if self.components.size else scaled
        largest = abs(x).max(axis=1).toarray().ravel()
        x = sparse.diags(1 / np.where(largest > 0, largest, 1)) @ x  # so that no square leaves the range of numbers
        z = np.asarray(x @ self.components)
        length, whole = np.sqrt((z * z).sum(axis=1)), np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
        known = length > LEAST * whole
        return np.where(known[:, None], z / np.where(known, length, 1)[:, None], 0)


def _resampling(side: int) -> Floats:
    """Returns the matrix that brings a line of dots to the side that is described: shares of the old dots in the new ones."""
    to = min(max(side, SIDES[0]), SIDES[1])
    step, matrix = side / to, np.zeros((to, side))
    for t in range(to):
        begin, end = t * step, (t + 1) * step
        if to >= side:  # between the centres of dots
            centre = min(max((begin + end) / 2 - 0.5, 0), side - 1)
            k = int(centre)
            matrix[t, k] += 1 - (centre - k)
            matrix[t, min(k + 1, side - 1)] += centre - k
        else:  # the mean over the dots
            for k in range(int(begin), min(side, int(np.ceil(end)))):
                matrix[t, k] += (min(end, k + 1) - max(begin, k)) / step
    return matrix


def _aligned(planes: Floats) -> Floats:
    """Returns pictures (n, colours, height, width) upright in frames around what differs from the ground."""
    height, width = planes.shape[2:]
    y, x = np.arange(height)[:, None] - (height - 1) / 2, np.arange(width) - (width - 1) / 2
    border = (np.abs(y) == (height - 1) / 2) | (np.abs(x) == (width - 1) / 2)
    ground = np.median(planes[:, :, border], axis=2)[:, :, None, None]
    seen = planes - ground
    weights = (seen * seen).sum(axis=1)
    total = np.maximum(weights.sum(axis=(1, 2)), 1e-300)

    def mean(of: Floats) -> Floats:
        return np.asarray((weights * of).sum(axis=(1, 2)) / total)[:, None]

    column, row = mean(x), mean(y)
    slant = ((mean(x * y) - column * row) / np.maximum(mean(y * y) - row * row, 1e-300)).clip(-1, 1)
    lines = seen[:, :, :, None] @ _framed(width, column + slant * (y[:, 0] - row))[:, None]
    return np.asarray(_framed(height, row).swapaxes(2, 3) @ lines[:, :, :, 0] + ground)


def _framed(side: int, on: Floats) -> Floats:
    """Returns the matrices that bring lines of dots to a frame that lies so many dots further on."""
    to = min(max(side, SIDES[0]), SIDES[1])
    step, dots = FRAME * side / to, np.arange(side)[:, None]
    begin = side / 2 + step * (np.arange(to) - to / 2) + on[..., None, None]
    if step <= 1:  # between the centres of dots
        return np.asarray((1 - np.abs(begin + step / 2 - 0.5 - dots)).clip(min=0))
    return np.asarray((np.minimum(begin + step, dots + 1) - np.maximum(begin, dots)).clip(min=0) / step)


def _gradients(planes: Floats, _: Floats) -> Floats:
    """Returns oriented gradients of pictures (n, colours, height, width), in blocks of 2x2 cells."""
    height, width = planes.shape[2:]
    padded = np.pad(planes, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
    dx, dy = padded[:, :, 1:-1, 2:] - padded[:, :, 1:-1, :-2], padded[:, :, 2:, 1:-1] - padded[:, :, :-2, 1:-1]
    if planes.shape[1] > 1:
        strongest = (dx * dx + dy * dy).argmax(axis=1)[:, None]
        dx, dy = (np.take_along_axis(d, strongest, axis=1) for d in (dx, dy))
    dx, dy = dx[:, 0], dy[:, 0]
    size, theta = np.sqrt(dx * dx + dy * dy), np.arctan2(dy, dx)
    theta[theta < 0] += np.pi
    at = theta * (ORIENTATIONS / np.pi)
    first = at.astype(int)
    second = size * (at - first)
    down, across = height // CELL, width // CELL
    cell = ((np.arange(len(planes))[:, None, None] * down + _cells(height)[:, None]) * across + _cells(width)) * ORIENTATIONS

    def summed(orientation: NDArray[np.int64], sizes: Floats) -> Floats:
        return np.asarray(np.bincount((cell + orientation % ORIENTATIONS).ravel(), sizes.ravel(), len(planes) * down * across * ORIENTATIONS))

    cells = (summed(first, size - second) + summed(first + 1, second)).reshape(len(planes), down, across, ORIENTATIONS)
    blocks = np.concatenate([cells[:, :-1, :-1], cells[:, :-1, 1:], cells[:, 1:, :-1], cells[:, 1:, 1:]], axis=3)
    return np.asarray(_divided(_divided(blocks).clip(max=CUT)).reshape(len(planes), -1))


def _cells(side: int) -> NDArray[np.int64]:
    """Returns the cell of each dot along a side."""
    return np.asarray(np.arange(side) * (side // CELL) // side)


def _divided(blocks: Floats) -> Floats:
    return np.asarray(blocks / np.sqrt(1 + (blocks * blocks).sum(axis=-1, keepdims=True)))


def _patches(planes: Floats, filters: Floats) -> Floats:
    """Returns what filters say of all patches, summed over quadrants."""
    n, colours = planes.shape[:2]
    z = np.moveaxis(sliding_window_view(planes, (1, 1, SIDE, SIDE))[..., 0, 0, :, :], 1, 3)
    down, across = z.shape[1:3]
    z = z.reshape(n, down * across, colours * SIDE * SIDE)
    mean = z.mean(axis=2, keepdims=True)
    variance = (np.einsum("npk,npk->np", z, z)[:, :, None] / z.shape[2] - mean * mean).clip(min=0)
    z -= mean
    z /= np.sqrt(variance + FLAT * FLAT)
    filters, quadrants = filters.reshape(-1, z.shape[2]).T, (_halves(down)[:, None, :, None] * _halves(across)[:, None, :]).reshape(4, -1)
    said, over = np.empty((2, down * across, filters.shape[1]))  # of one picture, which stay in the cache
    sums = np.empty((n, 4, 2, filters.shape[1]))
    for picture, to in zip(z, sums):
        np.matmul(picture, filters, out=said)
        to[:, 0] = quadrants @ np.maximum(np.subtract(said, THRESHOLD, out=over), 0, out=over)
        to[:, 1] = quadrants @ np.maximum(np.subtract(-THRESHOLD, said, out=over), 0, out=over)
    return np.asarray(np.sqrt(sums).reshape(n, -1))


def _halves(side: int) -> Floats:
    """Returns which dots of a line are in its first half, and which in its second."""
    first = np.arange(side) < side // 2
    return np.array([first, ~first], float)


def _dots(planes: Floats, _: Floats) -> Floats:
    """Returns the dots of pictures (n, colours, height, width), a plane for each colour."""
    return planes.reshape(len(planes), -1)


NUMBERS: dict[str, Callable[[Floats, Floats], NDArray[np.float64]]] = {"hog": _gradients, "patches": _patches, "dots": _dots}
