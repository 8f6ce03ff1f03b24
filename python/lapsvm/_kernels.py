"""Kernels, each of a basis that is laid out once for all rows to come."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
from scipy import sparse

from . import _points
from ._points import Floats, Rows

# A kernel of a basis: the values of rows, (rows, basis), and the distance of each row to the nearest of the basis, None
# where the kernel sees products alone.
Kernel = Callable[[Rows], Tuple[Floats, Optional[Floats]]]


def of(basis: Rows, parameters: dict[str, Any]) -> Kernel:
    """Returns the kernel that a model file describes. Raises KeyError where NAMES does not have it."""
    return NAMES[parameters["name"]](basis, parameters)


def _linear(b: Rows, k: dict[str, Any]) -> Kernel:
    products = _points.multiplier(b)
    return lambda x: (products(x), None)


def _gaussian(b: Rows, k: dict[str, Any]) -> Kernel:
    centred = not sparse.issparse(b)
    middle = b.mean(axis=0) if centred else 0
    sigma = k["sigma"]
    unit = 1.0 if 1e-100 < sigma < 1e100 else sigma  # beyond, squares have no float
    around = _squared((b - middle if centred else b) / unit)  # around the middle squares do not cancel

    def values(x: Rows) -> tuple[Floats, Floats]:
        if centred:
            x = (x.toarray() if sparse.issparse(x) else x) - middle
        squared = around(x / unit)
        distance = np.sqrt(squared.min(axis=1)) * unit
        squared /= -2 * (sigma / unit) ** 2
        return np.exp(squared, out=squared), distance
    return values


def _poly(b: Rows, k: dict[str, Any]) -> Kernel:
    products, lengths = _points.multiplier(b), _points.squares(b)

    def values(x: Rows) -> tuple[Floats, Floats]:
        inner = products(x)
        least = (_points.squares(x)[:, None] + lengths - 2 * inner).min(axis=1)
        return (k.get("gamma", 0) * inner + k.get("coef0", 0)) ** k["degree"], np.sqrt(np.maximum(least, 0))
    return values


def _laplacian(b: Rows, k: dict[str, Any]) -> Kernel:
    b = b.toarray() if sparse.issparse(b) else b

    def values(x: Rows) -> tuple[Floats, Floats]:
        x = x.toarray() if sparse.issparse(x) else x
        distances = np.array([np.abs(b - row).sum(axis=1) for row in x]).reshape(len(x), len(b))
        return np.exp(-distances / k["sigma"]), distances.min(axis=1)
    return values


def _distances(b: Rows, k: dict[str, Any]) -> Kernel:
    products = _points.multiplier(b)  # the basis is unit vectors, which pick the distances to its points

    def values(x: Rows) -> tuple[Floats, Floats]:
        d = products(x)
        return np.exp(-(d / k["sigma"]) ** 2 / 2), d.min(axis=1)
    return values


def _squared(b: Rows) -> Callable[[Rows], Floats]:
    """Returns what gives the squared distances of rows to those of b, none below 0."""
    products, lengths = _points.multiplier(b), _points.squares(b)

    def of(x: Rows) -> Floats:
        squared = products(x)
        squared *= -2
        squared += lengths
        squared += _points.squares(x)[:, None]
        return np.maximum(squared, 0, out=squared)
    return of


NAMES: dict[str, Callable[[Rows, dict[str, Any]], Kernel]] = {
    "linear": _linear, "precomputed": _linear, "gaussian": _gaussian, "poly": _poly, "laplacian": _laplacian, "distances": _distances}
GIVEN = ("precomputed", "distances")  # the points are values or distances
