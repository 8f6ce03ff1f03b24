"""A reader of model files, and predictions by them, in NumPy alone."""

import hashlib
import json
import os

import numpy as np
from scipy import sparse

from . import _table

MAGIC = b"LAPSVM\r\n"
LATEST = 5  # version of the format
ENCODING = CALIBRATION = 1  # versions of parts
TILE = 1 << 22  # kernel values that are computed at a time
STORED = {"": "<f8", "float32": "<f4", "uint8": "u1"}


def load(source):
    """Returns the Model of a file that `lapsvm train` or LapSVMClassifier.save wrote, or of its bytes.

    Raises ValueError, which says what to do, for what is no model file, is damaged, is of a
    later version, or has what is not computed here: the neighbours among the training points
    that models on landmarks have. The program finds these by an approximate index; the exact ones
    would be others for some points, and so would decisions.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Model(bytes(source), "the model")
    with open(source, "rb") as file:
        return Model(file.read(), os.fspath(source))


class Model:
    """A trained model. Decision values are

        f_c(x) = sum_j coefficients[c][j] k(basis[j], scaled x) + bias[c]

    of every class c, or of two classes the second, and agree with `lapsvm predict` to
    rounding; a point belongs to the class of the largest. Cost: rows times basis times
    features, in float64.

    Attributes: classes_, features (names of columns or None), one_class, kernel (dict),
    basis (array or CSR matrix of scaled points), coefficients, bias, slope (of the
    probabilities, or None), recipe and training (dicts, as `lapsvm info --json` has them).
    """

    def __init__(self, data, name):
        header, values = _opened(data, name)
        if header.get("local"):
            raise ValueError(f"{name}: the model decides new points by their neighbours too, which an index finds that this loader has not: "
                             "train with compact, or predict with LapSVMClassifier or lapsvm predict")
        self.classes_ = header["classes"]
        self.one_class = header.get("one_class", False)
        self.features = header.get("features")
        self.kernel = header["kernel"]
        self.recipe, self.training = header.get("config"), header.get("training")
        self.encoding = header.get("encoding")
        _check_version(self.encoding, ENCODING, name, "encoding of columns")
        calibration = header.get("calibration")
        _check_version(calibration, CALIBRATION, name, "calibration")
        self.slope = calibration["slope"] if calibration else None
        if self.kernel["name"] not in KERNELS:
            raise ValueError(f"{name}: the kernel {self.kernel['name']} is not one that this loader knows: use a newer lapsvm")
        shape, machines = header["basis"], header["machines"]
        rows, self.width = shape["rows"], shape["columns"]
        self.scaling = header.get("standardise") or "none"
        learnt = {"none": 0, "unit-norm": 0, "zscore": 2, "minmax": 2, "columns": 4}
        if self.scaling not in learnt:
            raise ValueError(f"{name}: the standardisation {self.scaling} is not one that this loader knows: use a newer lapsvm")
        self._learnt = [values.take("<f8", self.width) for _ in range(learnt[self.scaling])]
        if shape.get("sparse"):
            ends = np.concatenate([[0], values.take("<i8", rows).cumsum()])
            index, entries = values.take("<i4", shape["stored"]), values.take("<f8", shape["stored"])
            self.basis = sparse.csr_matrix((entries, index, ends), (rows, self.width))
        else:
            self.basis = values.take(STORED[shape.get("storage", "")], rows * self.width).reshape(rows, self.width).astype(float)
            if shape.get("unscaled"):
                self.basis = self._scaled(self.basis)
        self.coefficients = values.take("<f8", machines * rows).reshape(machines, rows)
        self.bias = values.take("<f8", machines)

    def decision_function(self, X):
        """Returns (n,) values, positive for the second of two classes or inside of one, else (n, classes)."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """Returns the names of the classes, "" outside of a single one."""
        scores = self._scores(X)
        if scores.shape[1] > 1:
            return np.array(self.classes_)[scores.argmax(axis=1)]
        names = ["", *self.classes_] if self.one_class else self.classes_
        return np.array(names)[(scores[:, 0] > 0).astype(int)]

    def predict_proba(self, X):
        """Returns the probabilities (n, classes). Raises ValueError where the model has none."""
        if self.slope is None:
            raise ValueError("the model was trained without probabilities: train it with them (proba)")
        scores = self._scores(X)
        if scores.shape[1] == 1:
            scores = np.hstack([-scores, scores])
        values = np.exp(self.slope * (scores - scores.max(axis=1, keepdims=True)))
        return values / values.sum(axis=1, keepdims=True)

    def _scores(self, X):
        X = self._features(X)
        if X.shape[1] != self.width:
            raise ValueError(f"the points have {X.shape[1]} features, the model was trained on {self.width}: give the same columns in the same order")
        scores = np.empty((X.shape[0], len(self.bias)))
        kernel, step = KERNELS[self.kernel["name"]], max(1, TILE // self.basis.shape[0])
        for start in range(0, X.shape[0], step):
            part = X[start:start + step]
            values = kernel(self._scaled(part), self.basis, self.kernel)
            scores[start:start + step] = values @ self.coefficients.T + self.bias
        if not np.isfinite(scores).all():
            raise ValueError(f"row {np.flatnonzero(~np.isfinite(scores).all(axis=1))[0] + 1} has a decision value that is not finite: mend or drop it")
        return scores

    def _features(self, X):
        """Returns the features of a table by the names of its columns, or of an array as it is."""
        if hasattr(X, "columns") and self.encoding:
            return _table.encoded(X, self.encoding["columns"])
        if hasattr(X, "columns") and self.features:
            missing = [name for name in self.features if name not in X.columns]
            if missing:
                raise ValueError(f"the column {missing[0]!r} is missing, which the model was trained with")
            X = X[self.features]
        if sparse.issparse(X):
            return sparse.csr_matrix(X, dtype=float)  # of a sparse array too
        X = np.asarray(X, dtype=float)
        if X.ndim != 2:
            raise ValueError(f"points are rows of a table, not an array of {X.ndim} dimensions: reshape them")
        return X

    def _scaled(self, x):
        if self.scaling == "none":
            return x
        if self.scaling == "unit-norm":
            if sparse.issparse(x):
                length = np.sqrt(x.multiply(x).sum(axis=1).A1)
                return sparse.diags(1 / np.where(length > 0, length, 1)) @ x
            largest = np.abs(x).max(axis=1, keepdims=True)  # so that no square leaves the range of numbers
            x = x / np.where(largest > 0, largest, 1)
            return x / np.maximum(np.sqrt((x * x).sum(axis=1, keepdims=True)), 1)
        x = x.toarray() if sparse.issparse(x) else x
        shift, factor, *curved = self._learnt
        if curved:
            centre, width = curved
            bent = np.arcsinh((x - centre) / np.where(width > 0, width, 1))
            x = np.where(width > 0, bent, x)
        return (x - shift) * factor


class _Values:
    """The arrays of a file, one after the other."""

    def __init__(self, data, name):
        self.data, self.name, self.at = data, name, 0

    def take(self, kind, count):
        size = count * np.dtype(kind).itemsize
        if self.at + size > len(self.data):
            raise ValueError(f"{self.name}: the file is damaged or cut off: fetch or train it again")
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += size
        return values


def _opened(data, name):
    """Returns the header of a file and its arrays, which are whole."""
    if data[:8] != MAGIC:
        raise ValueError(f"{name} is not a lapsvm model file; train one with lapsvm train")
    version = int.from_bytes(data[8:12], "little")
    if version > LATEST:
        raise ValueError(f"{name}: the model is of format version {version}, this loader reads versions up to {LATEST}: use a newer lapsvm")
    if len(data) < 48 or hashlib.sha256(memoryview(data)[:-32]).digest() != data[-32:]:
        raise ValueError(f"{name}: the file is damaged or cut off: fetch or train it again")
    end = 16 + int.from_bytes(data[12:16], "little")
    return json.loads(data[16:end]), _Values(memoryview(data)[end:-32], name)


def _check_version(part, known, name, what):
    if part and part["version"] != known:
        raise ValueError(f"{name}: the model's {what} is of version {part['version']}, this loader reads version {known}: use a newer lapsvm")


def _products(x, b):
    values = x @ b.T
    return values.toarray() if sparse.issparse(values) else np.asarray(values)


def _linear(x, b, k):
    return _products(x, b)


def _gaussian(x, b, k):
    if not sparse.issparse(x) and not sparse.issparse(b):
        middle = b.mean(axis=0)  # so that the squares do not cancel
        x, b = x - middle, b - middle
    return np.exp(-np.maximum(_squares(x)[:, None] + _squares(b) - 2 * _products(x, b), 0) / (2 * k["sigma"] ** 2))


def _squares(x):
    return x.multiply(x).sum(axis=1).A1 if sparse.issparse(x) else (x * x).sum(axis=1)


def _poly(x, b, k):
    return (k.get("gamma", 0) * _products(x, b) + k.get("coef0", 0)) ** k["degree"]


def _laplacian(x, b, k):
    x, b = (m.toarray() if sparse.issparse(m) else m for m in (x, b))
    return np.exp([-np.abs(b - row).sum(axis=1) / k["sigma"] for row in x])


KERNELS = {"linear": _linear, "precomputed": _linear, "gaussian": _gaussian, "poly": _poly, "laplacian": _laplacian}
