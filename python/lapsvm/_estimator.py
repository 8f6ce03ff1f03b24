"""What the estimators share: the program trains and predicts, and NumPy predicts a few rows."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import warnings
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Sequence, Union
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_consistent_length
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import validate_data  # scikit-learn 1.6 and later
except ImportError:
    def validate_data(estimator: Any, X: Any, **how: Any) -> Any:
        return estimator._validate_data(X, **how)

from . import _command, _files, _frames, _kernels, _labels, _parameters, _table
from ._model import Model, load
from ._points import Floats, Rows
from ._report import Report
from .errors import ColumnsError

Labels = Union[ArrayLike, Sequence[Any]]  # which may have None among them

ROOM = 64 << 20  # bytes of files beside the points
COLUMNS = ("coordinates", "text", "category", "ignore")  # parameters that name columns of a table
OWN = ("unlabelled", "proba", "intervals", "verbose", "report", "threads", "memory", *COLUMNS)  # parameters that are not always the flags of the same name

OF_TRAINING = ("check_every", "compact", "max_iter", "stop", "time", "tolerance")  # parameters of the solver that makes a model

EMBED = ("embed", "embed_with", "embed_cache", "onnxruntime")  # parameters of predictions too

# Work up to which NumPy predicts: _model.py says what it is made of. A process takes 20 ms before its first row, and half as long as NumPy
# for each further row.
WORK = 3e9

_loaded: WeakKeyDictionary[LapSVM, tuple[bytes, Model]] = WeakKeyDictionary()  # models of estimators, which have them as bytes


class LapSVM(BaseEstimator):
    """What LapSVMClassifier and LapSVMRegressor share. Its fitted state is the bytes of a model file."""

    kernel: str | None
    distances: bool | None
    memory: str | None
    threads: int | None
    verbose: int
    model_: bytes
    columns_: dict[str, str] | None
    report: bool = False  # of estimators that were pickled before there were reports

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, which `lapsvm predict`, `lapsvm info` and `lapsvm.load` read."""
        check_is_fitted(self)
        Path(path).write_bytes(self.model_)

    def explain(self, X: Any) -> list[dict[str, Any]]:
        """Says which columns decide about every row, of several classes for each class of a row.

        Each has the row, counted from 0, its label and decision value (decision), that of a row where all is usual (usual_decision), a sentence, and in
        columns, the largest effect first, the column, its value, what is usual, the class that it speaks for and its effect. Columns of an array are
        called x0, x1, … as scikit-learn does. Usual is the median of numbers and
        the commonest of other values, over all rows of fit. The effects, and rest where there is one, add up to decision - usual_decision.
        """
        check_is_fitted(self)
        rows = self._rows(X)
        output, _ = self._asked(rows, ["--explain", str(rows.shape[0])], columns=False)
        explained: list[dict[str, Any]] = json.loads(output)["explanations"]
        bare = self.columns_ is None and self._load().features is None
        for why in explained:
            why["row"] -= 1
            for column in why["columns"] if bare else ():
                if column["column"].isdecimal():
                    name = f"x{int(column['column']) - 1}"
                    why["sentence"] = why["sentence"].replace(f" {column['column']} = ", f" {name} = ")
                    column["column"] = name
        return explained

    def suggest(self, X: Any, y: Labels | None = None, n: int = 20, strategy: str = "auto", edges: Any = None) -> list[dict[str, Any]]:
        """Says which n rows to label next, the best first, by the parameters of the estimator, which fit need not have seen.

        X, y and edges are as of fit, but y may have labels of one class, or none, or be None. Each row has its number, counted from 0 (row), the reason
        in words, and the value behind it. strategy is auto, variance, model-change, uncertainty, density or random.
        """
        said, _ = self._question("suggest", X, y, edges, [f"--number={int(n)}", "--strategy=" + strategy])
        return _from_zero(said["points"])

    def audit(self, X: Any, y: Labels, edges: Any = None) -> list[dict[str, Any]]:
        """Says which labels look wrong, the most suspicious first, by the parameters of the estimator, which fit need not have seen.

        X, y and edges are as of fit. Each label has its row, counted from 0, what was given and what is suggested, its suspicion from 0 to 1, of
        which 0.5 and more is suspicious, and why in words. Several classes of a row are a list. Warns of equal rows with different labels.
        """
        said, classes = self._question("audit", X, y, edges, [])
        for group in said.get("conflicts") or []:
            warnings.warn("equal rows are labelled differently: " + ", ".join(f"row {one['row'] - 1} is {one['class']}" for one in group) + " (rows are counted from 0)", stacklevel=2)
        labels = _from_zero(said["labels"])
        for label in labels:
            for one in (label, *label.get("neighbours", ())):
                for name in ("given", "suggested", "class"):
                    if name in one:
                        one[name] = self._meant(one[name], classes, _labels.is_indicator(y))
            if "neighbours" in label:
                label["neighbours"] = _from_zero(label["neighbours"])
        return labels

    def _question(self, command: str, X: Any, y: Any, edges: Any, flags: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns what the program answers about rows and labels, and the classes by its names for them."""
        asked: LapSVM = clone(self)  # which learns of the columns in place of this one
        if command == "suggest" and y is None:
            y = np.full(edges.shape[0] if X is None else X.shape[0] if hasattr(X, "shape") else len(X), None, object)
        parameters = asked._resolved()
        X, table = asked._taken(X, y)
        check_consistent_length(X, y)
        text, said, names, classes = asked._spelt(X, y, parameters, few=command == "suggest")
        parameters = {name: None if name in OF_TRAINING else value for name, value in parameters.items()}
        with asked._written(X, table, text, edges) as (files, data):
            arguments = [command, *data, *said, *flags, *_command.limits(self.threads, self.memory), *_flags(parameters, files)]
            return json.loads(_command.run(arguments, files, {*self.get_params(deep=False), "strategy"}, self.verbose)), dict(zip(names, classes.tolist()))

    def _spelt(self, X: Any, y: Any, parameters: dict[str, Any], few: bool) -> tuple[NDArray[np.str_], list[str], list[str], NDArray[Any]]:
        """Returns the text of labels as the program takes them, "" for none, the flags that say what they are, and the classes with their names there.

        few allows fewer labels than a training takes.
        """
        raise NotImplementedError

    def _meant(self, text: str, classes: Mapping[str, Any], several: bool) -> Any:
        """Returns the label that a text of the program stands for."""
        if several:
            return [classes.get(name, name) for name in text.split(_labels.SEPARATOR) if name]
        return classes.get(text, text)

    def _resolved(self) -> dict[str, Any]:
        return _parameters.resolved(self.get_params(deep=False))

    def _load(self) -> Model:
        """Returns the model in NumPy."""
        data, model = _loaded.get(self, (None, None))
        if model is None or data is not self.model_:
            model = load(self.model_)
            _loaded[self] = self.model_, model
        return model

    def _names(self) -> list[str] | None:
        """Returns the names of the columns of fit for the model, None where they do not name them."""
        names = [str(name) for name in getattr(self, "feature_names_in_", [])]
        return names if names and len(set(names)) == len(names) and all(map(str.isprintable, names)) and all(names) else None

    def _is_table(self, X: Any) -> bool:
        """Reports whether X has columns whose features have to be learnt."""
        asked = [name for name in COLUMNS if getattr(self, name) is not None]
        if asked and not _frames.is_frame(X):
            raise ValueError(f"{asked[0]} names columns of a DataFrame of pandas, and X is none: give one, or leave {asked[0]} out")
        return bool(asked) or _frames.is_frame(X) and not _frames.is_plain(X)

    def _table(self, X: Any) -> Any:
        """Returns the DataFrame of fit, its columns called by text, of which the estimator knows then."""
        self.n_features_in_ = X.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        if all(isinstance(name, str) for name in X.columns):
            self.feature_names_in_ = np.asarray(X.columns, object)
        return _frames.named(X)

    def _kinds(self, X: Any) -> list[str]:
        """Returns the flags for what columns of a DataFrame are said to be: of pandas too."""
        said = {name: _several(getattr(self, name)) for name in COLUMNS}
        others = {*said["coordinates"], *said["text"], *said["ignore"]}
        said["category"] = list(dict.fromkeys([*said["category"], *(name for name in _frames.categories(X) if name not in others)]))
        return [f"--{name}={listed(names)}" for name, names in said.items() if names]

    def _rows(self, X: Any) -> Any:
        """Returns rows to predict: a DataFrame of the columns of fit that are features, or points."""
        if self.columns_ is None:
            return self._points(X, reset=False)
        made = self._embedded()
        needed = [name for name, kind in self.columns_.items() if (_table.gives_features(kind) or name in made.values()) and name not in made]
        if not _frames.is_frame(X):
            raise ColumnsError("the estimator was trained on a table", f"give a DataFrame of pandas with the columns {', '.join(map(repr, needed))}")
        X = _frames.named(X)
        missing = [repr(name) for name in needed if name not in X.columns]
        if missing:
            raise ColumnsError(f"the table lacks {', '.join(missing)}, which the estimator was trained with", "add what is missing")
        return X[needed + [name for name in made if name in X.columns]]

    def _embedded(self) -> dict[str, str]:
        """Returns the columns of vectors that are made of others, and these."""
        encoding = self._load().encoding
        return {c["name"]: c["embedded"]["of"] for c in encoding["columns"] if c.get("embedded")} if encoding else {}

    def _points(self, X: Any, reset: bool) -> Rows:
        try:
            return validate_data(self, _frames.in_numbers(X), reset=reset, accept_sparse="csr", dtype=(np.float64, np.float32, np.uint8))
        except OverflowError as error:
            raise ValueError(f"X has a number beyond those of float64 ({error}): scale it, or leave it out") from error

    def _taken(self, X: Any, y: Any) -> tuple[Any, bool]:
        """Returns the points of fit, or the table that they are, and whether they are one."""
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        if X is None:
            self.n_features_in_ = 0
            self.__dict__.pop("feature_names_in_", None)
            return sparse.csr_matrix((len(y), 0)), False
        table = self._is_table(X)
        return self._table(X) if table else self._points(X, reset=True), table

    def _train(self, X: Any, table: bool, text: NDArray[np.str_], parameters: Mapping[str, Any], edges: Any, flags: list[str]) -> list[NDArray[Any]]:
        """Trains on points or a table with the text of their labels, and returns the columns of what is decided of its rows."""
        with self._written(X, table, text, edges) as (files, data):
            model, rows = files.path("model.lapsvm"), files.path("rows.npz")
            flags = [*flags, *_command.limits(self.threads, self.memory), *_flags(parameters, files), *data[1:]]
            page = files.path("report.html") if self.report else None
            if page:
                flags.append("--report=" + page)
            command = ["train", data[0], "-o", model, "--transduction", rows, "--to", "npz", *flags]
            output = _command.run(command, files, self.get_params(deep=False), self.verbose)
            decided = _files.read_columns(rows)
            self.model_ = _files.read(model)
            self.__dict__.pop("report_", None)
            if page:
                self.report_ = Report(_files.read(page).decode(), self.get_params(deep=False))
        loaded = self._load()
        self.columns_ = {c["name"]: c["kind"] for c in loaded.encoding["columns"]} if loaded.encoding else None
        self.result_ = json.loads(output)
        self.n_iter_ = max(1, round(self.result_["iterations"]))
        if "limit" in self.result_["status"]:
            warnings.warn(f"the solver stopped before it was done: {self.result_['status']}; raise max_iter or tolerance", ConvergenceWarning)
        for name in [name for name, kind in (self.columns_ or {}).items() if _table.KINDS[kind].names]:
            warnings.warn(f"the column {name!r} has another value in every row: it names the rows, and is left out. Say so with ignore, "
                          "or make it a feature with category or text", stacklevel=3)
        return decided

    @contextlib.contextmanager
    def _written(self, X: Any, table: bool, text: NDArray[np.str_], edges: Any) -> Iterator[tuple[_files.Files, list[str]]]:
        """Gives files that have points or a table, with the text of their labels, and the program's arguments for these."""
        bare = X.shape[1] == 0
        if bare and edges is None:
            raise ValueError("X is None, and no edges are given: rows without features take edges")
        lines = _bare(text) if bare else _frames.lines(X, text.tolist()) if table else b""
        with _files.Files((len(lines) if table or bare else 3 * _files.size(X)) + ROOM) as files:
            data = files.path("data")
            if bare:
                _files.write(data, lines)
                flags = ["--format=jsonl", "--label=label"]
            elif table:
                _files.write(data, lines)
                flags = ["--format=jsonl", "--label=" + _frames.label(X), *self._kinds(X)]
            else:
                _files.write_points(data, X, text, self._names())
                flags = ["--format=npz"]
            if edges is not None:
                flags.append("--edges=" + _files.write_edges(files.path("edges.npz"), edges, X.shape[0]))
            yield files, [data, *flags]

    def _quick(self, X: Any) -> tuple[Any, Model, Floats | None]:
        """Returns the rows to predict, the model, and its values there where NumPy has them sooner than the program."""
        check_is_fitted(self)
        X, model = self._rows(X), self._load()
        made = [name for name in self._embedded() if name not in X.columns]
        return X, model, None if made else model.unremarkable(X, WORK)

    def _by_edges(self, X: Any, edges: Any, flags: list[str]) -> Floats:
        """Returns the outputs (rows, machines) of rows by their edges to those of fit, and by their features unless X is None."""
        check_is_fitted(self)
        model = self._load()
        if X is None:
            return model.joined(model.without_features(edges), edges)
        X, _, scores = self._quick(X)
        if scores is None:
            scores = np.column_stack(self._ask(X, flags)[-len(model.bias):])
        return model.joined(scores, edges)

    def _ask(self, X: Any, flags: list[str]) -> Sequence[NDArray[Any]]:
        """Returns the columns that the program predicts for rows."""
        return self._asked(X, flags, columns=True)[1]

    def _asked(self, X: Any, flags: list[str], columns: bool) -> tuple[bytes, Sequence[NDArray[Any]]]:
        """Returns what the program prints of rows, and the columns that it writes where they are wanted."""
        made = [name for name in self._embedded() if name not in X.columns]
        lines = b"" if self.columns_ is None else _frames.lines(X)
        with _files.Files((len(lines) or _files.size(X)) + len(self.model_) + ROOM) as files:
            path, data, out = files.path("model.lapsvm"), files.path("data"), files.path("out.npz")
            _files.write(path, self.model_)
            if self.columns_ is None:
                _files.write_points(data, X)
            else:
                _files.write(data, lines)
            form = "npz" if self.columns_ is None else "jsonl"
            limits = _command.limits(self.threads, self.memory)
            said = [(name, getattr(self, name)) for name in EMBED if made and getattr(self, name) is not None]
            limits += [f"--{name.replace('_', '-')}={os.fspath(value)}" for name, value in said]
            to = ["-o", out, "--to", "npz"] if columns else []
            output = _command.run(["predict", path, data, "--format", form, *to, *flags, *limits], files, self.get_params(deep=False), self.verbose)
            return output, _files.read_columns(out) if columns else []

    def _given(self) -> bool:
        return self.kernel in _kernels.GIVEN or bool(self.distances)

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._given()
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"pairwise": self._given()}


def _from_zero(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns what is said of rows, which the program counts from 1, with their numbers from 0."""
    return [{**one, "row": one["row"] - 1} for one in rows]


def _flags(parameters: Mapping[str, Any], files: _files.Files) -> list[str]:
    """Returns the flags for the parameters."""
    flags = []
    for name, value in parameters.items():
        if value is None or name in OWN:
            continue
        if name == "class_weight" and isinstance(value, dict):
            path = files.path("weights.tsv")
            _files.write(path, "".join(f"{c}\t{v!r}\n" for c, v in value.items()).encode())
            value = path
        elif isinstance(value, dict):
            value = listed(f"{c}={v!r}" for c, v in value.items())
        elif name == "word_vectors" or name in EMBED:
            value = os.fspath(value)
        elif name == "image_shape":
            value = "x".join(str(int(side)) for side in value)
        elif name in ("describe", "ordered") and not isinstance(value, str):
            value = listed(value) or "none"
        elif isinstance(value, (bool, np.bool_)):
            value = str(value).lower()
        elif name == "time" and not isinstance(value, str):
            value = f"{value}s"
        flags.append(f"--{name.replace('_', '-')}={value}")
    return flags


def _bare(text: NDArray[np.str_]) -> bytes:
    """Returns rows of which labels alone are known."""
    return "".join(json.dumps({"label": label or None}) + "\n" for label in text.tolist()).encode()


def _several(names: str | Sequence[str] | None) -> list[str]:
    """Returns the names of columns, of which there may be one or none."""
    return [] if names is None else [names] if isinstance(names, str) else [str(name) for name in names]


def listed(words: Iterable[str]) -> str:
    """Returns words as a flag takes a list of them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(words)
    return line.getvalue()
