"""A reader of model files, and predictions by them, in NumPy alone."""

import hashlib
import json
import os

import numpy as np
from scipy import sparse

from . import _neighbours, _points, _table

MAGIC = b"LAPSVM\r\n"
LATEST = 5  # version of the format
ENCODING, CALIBRATION = 2, 1  # versions of parts
TILE = 1 << 22  # kernel values that are computed at a time


def load(source):
    """Returns the Model of a file that `lapsvm train` or LapSVMClassifier.save wrote, or of its bytes.

    Raises ValueError, which says what to do, for what is no model file, is damaged, or is of a
    later version.
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

    A model on landmarks that was not trained with compact adds the mean residual of the nearest
    training points, which are found among all: that costs rows times training points times
    features. The program finds them by an index that misses a few, so a few decisions are others (docs/manual/python.md has figures).

    Attributes: classes_, features (names of columns or None), one_class, kernel (dict),
    basis (array or CSR matrix of scaled points), coefficients, bias, slope (of the
    probabilities, or None), recipe and training (dicts, as `lapsvm info --json` has them).
    """

    def __init__(self, data, name):
        header, values = _opened(data, name)
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
        kind, machines = header.get("standardise") or "none", header["machines"]
        if kind not in _points.LEARNT:
            raise ValueError(f"{name}: the standardisation {kind} is not one that this loader knows: use a newer lapsvm")
        rows, self.width = header["basis"]["rows"], header["basis"]["columns"]
        self._scaling = _points.Scaling(kind, [values.take("<f8", self.width) for _ in range(_points.LEARNT[kind])])
        self.basis = _points.table(header["basis"], values, self._scaling).rows(slice(None))
        self.coefficients = values.take("<f8", machines * rows).reshape(machines, rows)
        self.bias = values.take("<f8", machines)
        if header.get("label_shares"):
            values.take("<f8", machines * rows * len(header["origin"]["labelled"]))  # what each label adds, which no prediction needs
        self._local = _neighbours.local(header["local"], machines, values, self._scaling) if header.get("local") else None

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
            raise ValueError(f"the points have {X.shape[1]} features, the model was trained on {self.width}: {self._takes()}")
        scores = np.empty((X.shape[0], len(self.bias)))
        kernel, step = KERNELS[self.kernel["name"]], max(1, TILE // self.basis.shape[0])
        for start in range(0, X.shape[0], step):
            part = self._scaling.of(X[start:start + step])
            scores[start:start + step] = kernel(part, self.basis, self.kernel) @ self.coefficients.T + self.bias
            if self._local and np.isfinite(scores[start:start + step]).all():
                scores[start:start + step] += self._local.values(part)
        if not np.isfinite(scores).all():
            raise ValueError(f"row {np.flatnonzero(~np.isfinite(scores).all(axis=1))[0] + 1} has a decision value that is not finite: mend or drop it (rows are counted from 1)")
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
        try:
            X = np.asarray(X, dtype=float)
        except (TypeError, ValueError) as error:
            raise ValueError(f"the points are not all numbers ({error}): {self._takes()}") from error
        if X.ndim != 2:
            raise ValueError(f"points are rows of a table, not an array of {X.ndim} dimensions: reshape them")
        return X

    def _takes(self):
        """Says what points to give."""
        if self.encoding:
            names = ", ".join(repr(c["name"]) for c in self.encoding["columns"] if c["kind"] not in ("id", "dropped"))
            return f"give a table with the columns {names}, such as a DataFrame of pandas"
        return "give the same columns in the same order"


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
    if part and not 1 <= part["version"] <= known:
        raise ValueError(f"{name}: the model's {what} is of version {part['version']}, this loader reads versions up to {known}: use a newer lapsvm")


def _linear(x, b, k):
    return _points.products(x, b)


def _gaussian(x, b, k):
    if not sparse.issparse(x) and not sparse.issparse(b):
        middle = b.mean(axis=0)  # so that the squares do not cancel
        x, b = x - middle, b - middle
    return np.exp(-np.maximum(_points.squares(x)[:, None] + _points.squares(b) - 2 * _points.products(x, b), 0) / (2 * k["sigma"] ** 2))


def _poly(x, b, k):
    return (k.get("gamma", 0) * _points.products(x, b) + k.get("coef0", 0)) ** k["degree"]


def _laplacian(x, b, k):
    x, b = (m.toarray() if sparse.issparse(m) else m for m in (x, b))
    return np.exp([-np.abs(b - row).sum(axis=1) / k["sigma"] for row in x])


KERNELS = {"linear": _linear, "precomputed": _linear, "gaussian": _gaussian, "poly": _poly, "laplacian": _laplacian}
