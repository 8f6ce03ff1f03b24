"""A reader of model files, and predictions by them, in NumPy alone."""

from __future__ import annotations

import os
from functools import cached_property, wraps
from typing import Any, Callable, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from . import _describe, _kernels, _neighbours, _points, _table
from ._frames import in_numbers
from ._modelfile import VIEWS, Values, check_version, opened
from ._points import Floats, Rows
from .errors import ColumnsError, DamagedError, FewLabelsError, LacksError, ValuesError, VersionError

CALIBRATION, DESCRIPTION = 1, 2  # versions of parts
LEAST = 1e-4  # the least probability that a view may give a class
FAR = 2  # so many times beyond the outermost hundredth of the training a row is far

# What the work for a row counts beside a multiplication for every value of the basis: so many for every kernel value, and so many
# rows for laying out the basis.
VALUE, LAYOUT = 400, 10
TIED = 1e-9  # share by which sums of probabilities may lack a half
TILE = 1 << 18  # kernel values, or features, that are computed at a time: about as many as a processor's cache has


F = TypeVar("F", bound=Callable[..., Any])


def _sound(call: F) -> F:
    """Has a call raise ValueError alone: what a forged file leads to, whose checksum is right, is none of the caller's types."""
    @wraps(call)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return call(*args, **kwargs)
        except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError) as error:
            raise DamagedError(f"the model file is damaged, or the points are no table ({type(error).__name__}: {error})", "fetch or train it again") from error
    return cast(F, checked)


@_sound
def load(source: str | os.PathLike[str] | bytes | bytearray | memoryview) -> Model:
    """Returns the Model of a file that `lapsvm train` or LapSVMClassifier.save wrote, or of its bytes.

    Raises ValueError, with advice, for a file that is no model file, is damaged, or is of a later
    version.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Model(bytes(source), "the model")
    with open(source, "rb") as file:
        return Model(file.read(), os.fspath(source))


class Model:
    """A trained model. Decision values are

        f_c(x) = sum_j coefficients[c][j] k(basis[j], scaled x) + bias[c]

    of every class c, or of two classes the second, and agree with `lapsvm predict` to
    rounding; a point belongs to the class of the largest. Of a regression f is the number.
    Where a point may have several classes, it has those with f_c above limits. Ordered
    classes are in classes_ from the lowest to the highest, and their median decides.
    Cost: rows times basis times features, in float64.

    The model may be the mean of views: f is then the mean of the logarithms of their probabilities, or of the odds of several classes, and kernel, basis, coefficients and bias are
    those of the leading one.

    A model on landmarks that was not trained with compact adds the mean residual of the nearest
    training points, which are found among all: that costs rows times training points times
    features. The program finds them by an index that misses a few, so a few decisions are others (docs/manual/python.md has figures).

    Attributes: classes_ (whole numbers where all names of classes are such, else text), features (names of columns or None), one_class, regression, several (a point may have several
    classes), ordered (classes have an order), kernel (dict), basis (array or CSR matrix of scaled points), coefficients, bias, slope (of the
    probabilities, or None), encoding (of the columns of a table, or None), recipe and training
    (dicts, as `lapsvm info --json` has them).
    """

    def __init__(self, data: bytes, name: str) -> None:
        header, values = opened(data, name)
        self.one_class: bool = header.get("one_class", False)
        self.classes_: list[Any] = _classes(header["classes"] or [], self.one_class)
        self.regression: bool = not self.classes_
        self.features: list[str] | None = header.get("features")
        self.kernel: dict[str, Any] = header["kernel"]
        self.recipe: dict[str, Any] | None = header.get("config")
        self.training: dict[str, Any] | None = header.get("training")
        self.encoding: dict[str, Any] | None = header.get("encoding")
        check_version(self.encoding, _table.LATEST, name, "encoding of columns")
        calibration = header.get("calibration")
        check_version(calibration, CALIBRATION, name, "calibration")
        check_version(header.get("description"), DESCRIPTION, name, "description of points")
        self.slope: float | None = calibration["slope"] if calibration else None
        self._machine_slope = self.slope
        self.several: bool = header.get("several", False)
        self.ordered: bool = header.get("ordered", False)
        self._each = self._machine_each = _arrays(header.get("each"))
        if self.kernel["name"] not in _kernels.NAMES:
            raise VersionError(f"{name}: the kernel {self.kernel['name']} is not one that this loader knows", "use a newer lapsvm")
        kind, machines = header.get("standardise") or "none", header["machines"]
        if kind not in _points.LEARNT:
            raise VersionError(f"{name}: the standardisation {kind} is not one that this loader knows", "use a newer lapsvm")
        rows, columns = header["basis"]["rows"], header["basis"]["columns"]
        self._scaling = _points.Scaling(kind, [values.take("<f8", columns) for _ in range(_points.LEARNT[kind])])
        self._basis = _points.table(header["basis"], values, self._scaling)
        self.coefficients = values.take("<f8", machines * rows).reshape(machines, rows)
        self.bias = values.take("<f8", machines)
        if header.get("label_shares"):
            values.take("<f8", machines * rows * len(header["origin"]["labelled"]))  # what each label adds, which no prediction needs
        self._local = _neighbours.local(header["local"], machines, values, self._scaling) if header.get("local") else None
        self._description = _describe.Description(header["description"], values) if header.get("description") else None
        self._intervals = _Intervals(header["intervals"], rows, values) if header.get("intervals") else None
        self._joined = self._rows_joined(header, values, machines)
        if self.ordered and machines > 1:
            self._fold()
        self.width: int = self._description.inputs if self._description else columns
        self._usual = _usual(header.get("drift"))
        self._views = self._views_beside(header, values)
        values.end()
        if self._views and self._machine_slope is not None:
            self.slope = header["views"]["calibration"]["slope"]
        if self._views and self._machine_each:
            self._each = _arrays(header["views"]["each"])

    def _views_beside(self, header: dict[str, Any], values: Values) -> list[tuple[float, Model]]:
        """Returns the machines of a mean of views beside this one, with their weights."""
        of, views = header.get("views"), []
        if of and all(part["name"] != VIEWS for part in header.get("parts") or []):
            raise DamagedError(f"{values.name}: the file is damaged (views without their files)", "fetch or train it again")
        for part in header.get("parts") or []:
            if part["name"] != VIEWS:
                values.take("u1", part.get("bytes", 0))
                continue
            if not of or sum(of["bytes"]) != part["bytes"] or len(of["weights"]) != len(of["bytes"]) or not sum(of["weights"]) < 1:
                raise DamagedError(f"{values.name}: the file is damaged (views whose weights or sizes do not fit)", "fetch or train it again")
            check_version(of.get("calibration"), CALIBRATION, values.name, "calibration")
            for k, (size, weight) in enumerate(zip(of["bytes"], of["weights"])):
                view = Model(values.take("u1", size).tobytes(), f"{values.name}, view {k + 1}")
                lacking = [slope is None for slope in (view.slope, self._machine_slope, of.get("calibration"))]
                each = [numbers is not None for numbers in (view._each, self._each, of.get("each"))]
                if (len(view.classes_) != len(self.classes_) or view.width != self.width or view._views or not weight > 0
                        or lacking != [self.regression or self.several] * 3 or each != [self.several] * 3):
                    raise DamagedError(f"{values.name}: the file is damaged (view {k + 1} is of other rows or labels)", "fetch or train it again")
                views.append((weight, view))
        return views

    def _fold(self) -> None:
        """Gives each of ordered classes a machine, in place of those between neighbours: the sum of these, which count negatively above the class."""
        code = np.where(np.arange(len(self.bias) + 1)[:, None] > np.arange(len(self.bias)), 1.0, -1.0)
        self.coefficients, self.bias = code @ self.coefficients, code @ self.bias
        if self._local:
            self._local.residuals = self._local.residuals @ code.T
        if self._joined is not None:
            self._joined = code @ self._joined

    def _rows_joined(self, header: dict[str, Any], values: Values, machines: int) -> Floats | None:
        """Returns the outputs (machines, rows) at the rows trained on with given edges, None where the model has none."""
        if header.get("featureless"):
            basis = self._basis.rows(slice(None))
            return np.asarray(self.coefficients @ (basis.toarray() if sparse.issparse(basis) else basis) + self.bias[:, None])
        if not header.get("joins"):
            return None
        rows = header["joins"]["rows"]
        return values.take("<f8", machines * rows).reshape(machines, rows)

    @_sound
    def joined(self, scores: Floats, edges: Any) -> Floats:
        """Returns the outputs (n, machines) of rows by their edges too, from those by features.

        edges is a matrix (n, rows trained on), sparse or dense, with the weight of the edge from a new row to one trained on. With outputs g by features, f_j of
        training row j and the bias b a row has

            b + t (g - b) + (1 - t) sum_j w_j (f_j - b) / sum_j |w_j|,   t = sum_m v_m D_m / (D_m + c sum_j |w_j|)

        where given edges count c in the training, and D is what its members m of weight v have beside them. A row without an edge keeps g. Raises ValueError for a model that was trained without edges.
        """
        if self._joined is None:
            raise LacksError("the model was trained without edges, and decides rows by their features alone", "leave edges out, or fit with them")
        wanted, weights = (len(scores), self._joined.shape[1]), sparse.csr_matrix(edges, dtype=float)
        if weights.shape != wanted:
            raise ValueError(f"edges has the shape {weights.shape}, and not {wanted}: give a row for each of X, and a column for each row of fit")
        if not np.isfinite(weights.data).all():
            raise ValueError("edges has a weight that is no finite number")
        weigh = (self.training or {}).get("edges") or {"unit": 1.0, "members": []}
        weights.sum_duplicates()
        sums = np.asarray(abs(weights).sum(axis=1)).reshape(-1, 1)
        has = sums[:, 0] > 0
        sums, moved, share = sums[has], np.array(scores), np.zeros((has.sum(), 1))
        for member in weigh["members"]:
            share += member["weight"] * (1 if member.get("alone") else member["beside"] / (member["beside"] + weigh["unit"] * sums))
        means = weights[has] @ (self._joined.T - self.bias) / sums
        moved[has] = self.bias + share * (scores[has] - self.bias) + (1 - share) * means
        return moved

    @cached_property
    @_sound
    def limits(self) -> Floats:
        """Of several classes the decision values above which a row has them."""
        if not self._each:
            return np.zeros(len(self.classes_))
        threshold = self._each["threshold"]
        return np.asarray((np.log(threshold / (1 - threshold)) - self._each["offset"]) / self._each["slope"])

    @cached_property
    @_sound
    def basis(self) -> Rows:
        return self._basis.rows(slice(None))

    @cached_property
    def _kernel(self) -> _kernels.Kernel:
        return _kernels.of(self._basis.rows(slice(None)), self.kernel)

    @_sound
    def decision_function(self, X: Any, edges: Any = None) -> Floats:
        """Returns (n,) values, positive for the second of two classes or inside of one, else (n, classes).

        edges are those of the rows to the rows trained on, as of joined. X is None of rows without features.
        """
        scores = self._scores(X, edges)
        return scores[:, 0] if scores.shape[1] == 1 and not self.several else scores

    @_sound
    def predict(self, X: Any, edges: Any = None) -> NDArray[Any]:
        """Returns the classes, whole numbers where all their names are such, "" outside of a single one, or the numbers of a regression.

        Where a row may have several classes it returns which it has, as a matrix (n, classes) of 1 and 0.
        """
        scores = self._scores(X, edges)
        if self.several:
            return np.asarray(scores > self.limits, int)
        if self.regression:
            return scores[:, 0]
        if scores.shape[1] > 1:
            return np.asarray(np.asarray(self.classes_).take(self.decided(scores)))
        names = ["", *self.classes_] if self.one_class else self.classes_
        return np.asarray(names).take(scores[:, 0] > 0)

    @_sound
    def decided(self, scores: Floats) -> NDArray[np.intp]:
        """Returns the class that decision values (n, classes) are for: the largest, or of three or more ordered classes the median by
        probabilities, of the slope 1 where the model has none."""
        if not self.ordered or scores.shape[1] < 3:
            return np.asarray(scores.argmax(axis=1))
        sums = np.exp((self.slope or 1) * (scores - scores.max(axis=1, keepdims=True))).cumsum(axis=1)
        return np.asarray((2 * sums < sums[:, -1:] * (1 - TIED)).sum(axis=1))

    @_sound
    def predict_proba(self, X: Any, edges: Any = None) -> Floats:
        """Returns the probabilities (n, classes), of several classes each for itself. Raises ValueError where the model has none."""
        if self.slope is None and self._each is None:
            raise LacksError("the model was trained without probabilities", "train it with them (proba)")
        return self.probabilities(self._scores(X, edges))

    @_sound
    def predict_interval(self, X: Any, level: float = 0.9) -> Floats:
        """Returns (n, 2) ends of intervals, the lower first, that hold the number of a row with the probability level, of a regression.

        Raises ValueError where the model keeps nothing for them, and for a level that the labels are too few for.
        """
        self._scores(X)  # which refuses what no prediction is made of
        return self.interval(X, level)

    @_sound
    def interval(self, X: Any, level: float) -> Floats:
        """Returns the intervals of rows that have predictions."""
        if self._intervals is None:
            raise LacksError("the model keeps nothing for intervals", "train a regression with them (intervals)")
        rank, (X, _) = self._intervals.rank(level), self._features(X)
        if not len(self._intervals.bias):
            return self._intervals.of(self._evaluated(X)[0], rank)
        ends = np.empty((X.shape[0], 2))
        for rows in self._pieces(X.shape[0]):
            part = self._scaling.of(self._description.of(X[rows]) if self._description else X[rows])
            ends[rows] = self._intervals.of(self._kernel(part)[0] @ self._intervals.coefficients.T + self._intervals.bias, rank)
        return ends

    @_sound
    def probabilities(self, scores: Floats) -> Floats:
        """Returns the probabilities (n, classes) for decision values, of two classes for (n, 1), by the slope or slopes, which are there."""
        if self._each:
            with np.errstate(over="ignore"):
                return np.asarray(1 / (1 + np.exp(-(self._each["slope"] * scores + self._each["offset"]))))
        return _chances(scores, self.slope)

    @_sound
    def unremarkable(self, X: Any, work: float) -> Floats | None:
        """Returns the decision values (rows, machines) where that takes no more work, and the program would find the
        same and nothing to warn of, else None.

        None is the answer where neighbours are found by an index, which misses others than NumPy; where rows are
        far from the training points; where values of a table were not in the training; and where X is refused.
        """
        if self._local or self._usual is None or self._work(X.shape[0]) > work:
            return None
        try:
            features, unseen = self._features(X)
            with np.errstate(over="ignore", invalid="ignore"):
                scores, measures = self._evaluated(features)
        except ValueError:
            return None
        low, high = self._usual
        return scores if not unseen and np.isfinite(scores).all() and (low <= measures).all() and (measures <= high).all() else None

    def _work(self, rows: int) -> float:
        """Returns what so many rows cost: multiplications, of which other work counts for some."""
        described = self._description.work if self._description else 0
        return float((rows + LAYOUT) * (self._basis.values + VALUE * self._basis.length + described)) + sum(view._work(rows) for _, view in self._views)

    def _scores(self, X: Any, edges: Any = None) -> Floats:
        if edges is not None:
            return self.joined(self.without_features(edges) if X is None else self._scores(X), edges)
        features, _ = self._features(X)
        if features.shape[1] != self.width:
            raise ColumnsError(f"the points have {features.shape[1]} features, the model was trained on {self.width}", self._takes())
        scores, _ = self._evaluated(features)
        if not np.isfinite(scores).all():
            raise ValuesError(f"row {np.flatnonzero(~np.isfinite(scores).all(axis=1))[0] + 1} has a decision value that is not finite", "mend or drop it (rows are counted from 1)")
        return scores

    @_sound
    def without_features(self, edges: Any) -> Floats:
        """Returns the outputs of rows of which edges alone are known, before these."""
        return np.tile(self.bias, (edges.shape[0] if sparse.issparse(edges) else len(edges), 1))

    def _evaluated(self, X: Rows) -> tuple[Floats, Floats]:
        """Returns the decision values of features, and of every row what the program measures to find whether it is far:
        the distance to the nearest point of the basis, or the length where the kernel sees products alone.
        """
        scores, measures = np.empty((X.shape[0], len(self.bias))), np.empty(X.shape[0])
        for rows in self._pieces(X.shape[0]):
            given = self._description.of(X[rows]) if self._description else X[rows]
            part = self._scaling.of(given)
            values, distance = self._kernel(part)
            scores[rows] = values @ self.coefficients.T + self.bias
            if distance is None:
                distance = np.sqrt(_points.squares(given if self._scaling.kind == "unit-norm" else part))
            measures[rows] = distance
            if self._local and np.isfinite(scores[rows]).all():
                scores[rows] += self._local.values(part)
        return self._mean(X, scores), measures

    def _mean(self, X: Rows, scores: Floats) -> Floats:
        """Returns the decision values of the mean of views, from those of this machine: the weighted sum of what each view says."""
        if not self._views:
            return scores
        left = 1 - sum(weight for weight, _ in self._views)
        mean = left * self._log_odds(scores) + sum(weight * view._log_odds(view._evaluated(X)[0]) for weight, view in self._views)
        return np.asarray(mean[:, 1:] if mean.shape[1] == 2 and not self.several else mean)

    def _log_odds(self, scores: Floats) -> Floats:
        """Returns what this machine says in a mean: the logarithms of probabilities, less their mean, or of the odds of several classes. Numbers stay."""
        if self._machine_each:
            bound = np.log((1 - LEAST) / LEAST)
            return np.asarray((self._machine_each["slope"] * scores + self._machine_each["offset"]).clip(-bound, bound))
        if self._machine_slope is None:
            return scores
        logarithms = np.log(_chances(scores, self._machine_slope).clip(min=LEAST))
        return np.asarray(logarithms - logarithms.mean(axis=1, keepdims=True))

    def _pieces(self, rows: int) -> list[slice]:
        """Returns the rows in parts of TILE kernel values or features at most."""
        step = max(1, TILE // max(1, self._basis.length, self.width))
        return [slice(start, start + step) for start in range(0, rows, step)]

    def _features(self, X: Any) -> tuple[Rows, bool]:
        """Returns the features of a table by the names of its columns, or of an array as it is, and whether there are values that the training had not."""
        if hasattr(X, "columns") and self.encoding:
            return _table.encoded(X, self.encoding["columns"])
        if hasattr(X, "columns") and self.features:
            missing = [name for name in self.features if name not in X.columns]
            if missing:
                raise ColumnsError(f"the column {missing[0]!r} is missing, which the model was trained with")
            X = X[self.features]
        X = in_numbers(X)
        if sparse.issparse(X):
            return sparse.csr_matrix(X, dtype=float), False  # of a sparse array too
        try:
            X = np.asarray(X, dtype=float)
        except (TypeError, ValueError) as error:
            raise ColumnsError(f"the points are not all numbers ({error})", self._takes()) from error
        if X.ndim != 2:
            raise ValueError(f"points are rows of a table, not an array of {X.ndim} dimensions: reshape them")
        return X, False

    def _takes(self) -> str:
        """Says what points to give."""
        if self.encoding:
            names = ", ".join(repr(c["name"]) for c in self.encoding["columns"] if _table.gives_features(c["kind"]))
            return f"give a table with the columns {names}, such as a DataFrame of pandas"
        return "give the same columns in the same order"


def _classes(names: list[str], one: bool) -> list[Any]:
    """Returns classes by their names: whole numbers where all names are such, as labels of Python and NumPy are, else text, and of one class text."""
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return names
    if one or any(str(v) != name or abs(v) >= 1 << 63 for v, name in zip(numbers, names)):
        return names
    return numbers


def _arrays(each: dict[str, Any] | None) -> dict[str, Floats] | None:
    """Returns the numbers of each class as arrays."""
    return {name: np.array(values) for name, values in each.items()} if each else None


def _chances(scores: Floats, slope: float | None) -> Floats:
    """Returns the probabilities (n, classes) for decision values, of two classes for (n, 1), by a slope."""
    if scores.shape[1] == 1:
        scores = np.hstack([-scores, scores])
    values = np.exp(cast(float, slope) * (scores - scores.max(axis=1, keepdims=True)))
    return np.asarray(values / values.sum(axis=1, keepdims=True))


class _Intervals:
    """What intervals are made of: the residual R_i of every label and machines without some of the labels, of which
    machine[i] lacks label i. There are no machines where the model stands for all of them."""

    def __init__(self, header: dict[str, Any], rows: int, values: Values) -> None:
        labels, machines = header["labels"], header.get("machines", 0)
        self.residual = values.take("<f8", labels)
        self.machine = values.take("<f8", labels).astype(int) if machines else np.zeros(labels, int)
        self.coefficients = values.take("<f8", machines * rows).reshape(machines, rows)
        self.bias = values.take("<f8", machines)

    def rank(self, level: float) -> int:
        """Returns which of the upper ends in their order ends an interval."""
        labels = len(self.residual)
        if not 0 < level < 1:
            raise ValueError(f"an interval takes a level between 0 and 1, such as 0.9, not {level}")
        rank = int(np.ceil(level * (labels + 1) - 1e-9))
        if rank > labels:
            raise FewLabelsError(f"an interval of level {level} takes more than the {labels} labels of the model",
                                 f"ask for at most {np.floor(100 * labels / (labels + 1)) / 100:g}, or label more points")
        return rank

    def of(self, values: Floats, rank: int) -> Floats:
        """Returns the ends for the values (n, machines)."""
        values, low, high = values[:, self.machine], len(self.residual) - rank, rank - 1
        return np.column_stack([np.partition(values - self.residual, low)[:, low], np.partition(values + self.residual, high)[:, high]])


def _usual(drift: dict[str, Any] | None) -> tuple[float, float] | None:
    """Returns what the measure of a row that is not far is between, None where a model does not know."""
    rows = (drift or {}).get("rows")
    if not rows:
        return None
    return rows["low"] / FAR if rows["measure"] == "length" else -np.inf, FAR * rows["high"] or rows["largest"]
