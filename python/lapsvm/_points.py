"""Points as a model has them: as they are stored, scaled as they are read."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ._modelfile import Values

Floats = NDArray[np.float64]
Rows = Any  # an array of floats, or a CSR matrix of SciPy, which has no types

STORED = {"": "<f8", "float32": "<f4", "uint8": "u1"}
LEARNT = {"none": 0, "unit-norm": 0, "zscore": 2, "minmax": 2, "columns": 4}  # arrays of numbers per column


class Scaling:
    """A way of scaling with what it learnt: x becomes (x - shift) * factor per column, or a row of length 1."""

    def __init__(self, kind: str, learnt: Sequence[Floats]) -> None:
        self.kind, self.learnt = kind, learnt

    def of(self, x: Rows) -> Rows:
        """Returns rows, dense or CSR, scaled."""
        if self.kind == "none":
            return x
        if self.kind == "unit-norm":
            return unit(x)
        x = x.toarray() if sparse.issparse(x) else x
        shift, factor, *curved = self.learnt
        if curved:
            centre, width = curved
            bent = np.arcsinh((x - centre) / np.where(width > 0, width, 1))
            x = np.where(width > 0, bent, x)
        return (x - shift) * factor


class Table:
    """Rows of a model file, each converted when it is asked for: a model of many points stays as small as its file."""

    def __init__(self, stored: Rows, scaling: Scaling | None = None) -> None:
        self.stored, self.scaling = stored, scaling
        self.length, self.width = stored.shape
        self.sparse = sparse.issparse(stored)
        self.values = stored.nnz if self.sparse else stored.size

    def rows(self, which: Any) -> Rows:
        """Returns rows as floats, dense or CSR: of a slice or of an array of numbers."""
        x = self.stored[which]
        x = x if self.sparse else x.astype(float)
        return self.scaling.of(x) if self.scaling else x


def table(shape: dict[str, Any], values: Values, scaling: Scaling) -> Table:
    """Returns the Table that comes next among the values of a file, whose header says its shape."""
    rows, columns = shape["rows"], shape["columns"]
    if shape.get("sparse"):
        ends = np.concatenate([[0], values.take("<i8", rows).cumsum()])
        index, entries = values.take("<i4", shape["stored"]), values.take("<f8", shape["stored"])
        return Table(sparse.csr_matrix((entries, index, ends), (rows, columns)))
    stored = values.take(STORED[shape.get("storage", "")], rows * columns).reshape(rows, columns)
    return Table(stored, scaling if shape.get("unscaled") else None)


def unit(x: Rows) -> Rows:
    """Returns rows of length 1; rows of zeros stay."""
    if sparse.issparse(x):
        x = _divided(x, abs(x).max(axis=1).toarray().ravel())  # so that no square leaves the range of numbers
        return _divided(x, np.sqrt(squares(x)))
    largest = np.abs(x).max(axis=1, keepdims=True, initial=0)
    x = x / np.where(largest > 0, largest, 1)
    return x / np.maximum(np.sqrt((x * x).sum(axis=1, keepdims=True)), 1)


def _divided(x: Rows, length: Floats) -> Rows:
    """Returns the rows of a CSR matrix divided by lengths, of which 0 is for rows of zeros."""
    return sparse.csr_matrix(sparse.diags(1 / np.where(length > 0, length, 1)) @ x)


def squares(x: Rows) -> Floats:
    """Returns the squared lengths of rows."""
    return np.asarray(x.multiply(x).sum(axis=1)).ravel() if sparse.issparse(x) else np.asarray((x * x).sum(axis=1))


def products(x: Rows, b: Rows) -> Floats:
    """Returns the inner products of the rows of two tables, as an array."""
    return multiplier(b)(x)


def multiplier(b: Rows) -> Callable[[Rows], Floats]:
    """Returns what gives the inner products of rows with those of b, which is laid out once for all rows to come."""
    columns = b.T.tocsr() if sparse.issparse(b) else b.T

    def of(x: Rows) -> Floats:
        values = x @ columns
        return np.asarray(values.toarray() if sparse.issparse(values) else values)
    return of
