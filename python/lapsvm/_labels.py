"""Labels as scikit-learn has them, and as the program takes them."""

from __future__ import annotations

import collections
import json
import os
import warnings
from numbers import Real
from typing import Any, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets


# Characters of class names that a command line takes: of 32,767 that Windows has, and 131,071 of one argument on Linux.
LONGEST = 10_000 if os.name == "nt" else 50_000

SEPARATOR = ";"  # of several classes of a row in a model

MATRIX = ("several classes of a row are a matrix with 1 where a row has the class, 0 where it has not, and -1 or NaN where that is not known; "
          "MultiLabelBinarizer of scikit-learn makes one of lists")


def split(y: Any, unlabelled: Any) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Returns which rows have a label, and the labels of those.

    None, NaN, empty text, what a masked array leaves out, and the value unlabelled are no labels. But -1 is a label where y would have
    but one class without it: -1 and 1 are the classes of many a support vector machine.
    """
    y, present = _present(y)
    values = y.tolist()
    none = _key(str(unlabelled))
    marked = np.array([there and (_key(value) == none if isinstance(value, str) else value == unlabelled) for there, value in zip(present, values)], bool)
    labelled = present & ~marked
    if unlabelled == -1 and marked.any() and set(y[labelled].tolist()) in ({1}, {"1"}):
        if present.all():
            warnings.warn("y has the values -1 and 1 alone: they are taken as two classes, and no row is unlabelled. "
                          "Where -1 means no label, label rows of another class too; where it is a class, spell no label as None or NaN", stacklevel=4)
        labelled = present
    elif unlabelled == -1 and present.all() and _may_be_class(y[labelled].tolist(), marked.sum()):
        classes = ", ".join(str(int(c)) for c in sorted(set(y[labelled].tolist())))
        warnings.warn(f"-1 means no label beside the classes {classes}; if it is a class, give unlabelled=None", stacklevel=4)
    labels = _plain(y[labelled]) if y.dtype.kind == "O" else y[labelled]
    if labels.dtype.kind == "f":
        assert_all_finite(labels, input_name="y")
    if len(labels):
        check_classification_targets(labels)
    one = spelt(labels)
    if labels.dtype.kind == "U" and (one != labels).any():
        at = np.flatnonzero(one != labels)[0]
        warnings.warn(f"y spells a class in several ways, as {str(one[at])!r} and {str(labels[at])!r}: they are one class, {str(one[at])!r}", stacklevel=4)
    return labelled, one


def spelt(labels: NDArray[Any], classes: Iterable[Any] = ()) -> NDArray[Any]:
    """Returns labels with one spelling for each class: that of classes, else one without blanks at its ends, of
    these that of most labels, of equals the shortest, and of these the first in order.

    Texts that are one number, as "1" and "1.0" are, or differ by blanks at their ends, are one class wherever the program reads labels.
    """
    if labels.dtype.kind != "U":
        return labels
    known: dict[object, str] = {}
    counts = collections.Counter(labels.tolist())
    for text in [*map(str, classes), *sorted(counts, key=lambda text: (text != text.strip(), -counts[text], len(text), text))]:
        known.setdefault(_key(text), text)
    return np.array([known[_key(text)] for text in labels.tolist()], str)


def numbers(y: Any) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Returns which rows have a number, and the numbers of those.

    None, NaN, empty text and what a masked array leaves out are none.
    """
    y, present = _present(y)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: labels of a regression are real numbers")
    try:
        values = y[present].astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"y has a label that is no number ({error}): correct it, or train LapSVMClassifier") from error
    assert_all_finite(values, input_name="y")
    return present, values


def is_indicator(y: Any) -> bool:
    """Reports whether labels are a matrix with a column for each of several classes. Raises ValueError for lists of classes."""
    if not hasattr(y, "shape"):
        y = np.asarray(y, object)
    if len(y.shape) == 1 and getattr(y, "dtype", None) == object and any(isinstance(value, (list, tuple, set, frozenset)) for value in y):
        raise ValueError(f"y has lists of classes: {MATRIX}")
    return len(y.shape) == 2 and y.shape[1] > 1


def answers(y: Any) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Returns the classes that the columns of an indicator matrix are of, and its values: 1, 0, or NaN where nothing is known.

    −1, None, NaN and what a masked array leaves out are not known. The classes are the names of a DataFrame's columns, or their numbers from 0.
    """
    classes = y.columns.to_numpy() if hasattr(y, "columns") else np.arange(y.shape[1] if hasattr(y, "shape") else len(y[0]))
    if hasattr(y, "toarray"):
        y = y.toarray()
    elif hasattr(y, "columns"):
        y = y.astype(object).to_numpy()
    y = _unmasked(y)
    cells = np.asarray(y)
    if cells.dtype.kind not in "biuf":
        cells = np.asarray(y, object)
        cells = np.where(np.vectorize(_is_missing, otypes=[bool])(cells), np.nan, cells)
    values = np.select([cells == 1, cells == 0], [1.0, 0.0], np.nan)
    strange = np.argwhere((values != values) & (cells == cells) & (cells != -1))
    if len(strange):
        row, column = strange[0]
        raise ValueError(f"y has {cells[row, column]!r} in row {row + 1}, column {column + 1}: {MATRIX}")
    return classes, values


def listed(y: Any) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.str_]]:
    """Returns the classes of an indicator matrix, which rows are labelled, and the labels of those as the program takes them.

    Such a label lists the classes that a row has, and those of which that is not known. Raises ValueError for a class that all rows have, or none.
    """
    classes, values = answers(y)
    labelled = np.isfinite(values).any(axis=1)
    for answer, verb in ((1, "has"), (0, "lacks")):
        there = (values == answer).any(axis=0)
        if not there.all():
            raise ValueError(f"no labelled row {verb} the class {classes[there.argmin()]!r} (n_samples = {len(values)}, {labelled.sum()} labelled): "
                             f"write {answer} for one that does, or leave the column out")
    called = names(classes, several=True)
    lists = ([name if v == 1 else "?" + name for v, name in zip(row, called) if v != 0] for row in values[labelled].tolist())
    return classes, labelled, np.array([json.dumps(names, ensure_ascii=False) for names in lists])


def complete(y: Any) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Returns the rows of an indicator matrix of which every class is known, and their values."""
    _, values = answers(y)
    known = np.isfinite(values).all(axis=1)
    return known, values[known]


def folded(y: Any, unlabelled: Any) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Returns which rows have a label, and the labels of those: numbers where some have fractions, of which unlabelled is one.

    Of several classes at once they are the rows of which every class is known, and the rarest class of each, or -1.
    """
    if is_indicator(y):
        known, values = complete(y)
        has = values > 0
        order = np.argsort(has.sum(axis=0), kind="stable")
        return known, np.where(has.any(axis=1), order[has[:, order].argmax(axis=1)], -1)
    values, present = _present(y)
    try:
        labels = values[present].astype(float)
    except (TypeError, ValueError):
        return split(y, unlabelled)
    return split(y, unlabelled) if are_classes(labels) else numbers(y)


def are_classes(labels: NDArray[Any]) -> bool:
    """Reports whether labels are text or whole numbers, and no fractions."""
    return labels.dtype.kind != "f" or bool((labels == np.round(labels)).all())


def _present(y: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Returns labels as an array, and which of them are there."""
    if type(getattr(y, "dtype", None)).__module__.startswith("pandas"):
        y = y.astype(object)  # else numbers and booleans with gaps become floats
    y = column_or_1d(_unmasked(y), warn=True)
    return y, np.array([not _is_missing(value) for value in y.tolist()], bool)


def _unmasked(y: Any) -> Any:
    """Returns labels with None for what a masked array leaves out."""
    return np.where(np.ma.getmaskarray(y), np.array(None), y.data) if isinstance(y, np.ma.MaskedArray) else y  # type: ignore[no-untyped-call]


def _may_be_class(labels: Iterable[Any], rows: int) -> bool:
    """Returns whether -1, which so many rows have, may be a class: the others are 0, 1, … or 1, 2, …, at least two of them,
    as where the program warns, and one of them has as many rows."""
    counts = collections.Counter(labels)
    if not rows or not all(isinstance(v, (int, float)) or isinstance(v, str) and v.isdecimal() for v in counts):
        return False
    classes = sorted(float(v) for v in counts)
    return len(classes) > 1 and classes[0] in (0, 1) and classes == [classes[0] + k for k in range(len(classes))] and max(counts.values()) >= rows


def _is_missing(value: object) -> bool:
    return value is None or isinstance(value, (str, bytes)) and not value.strip() or isinstance(value, float) and value != value or type(value).__name__ in ("NAType", "NaTType")


def _plain(labels: NDArray[Any]) -> NDArray[Any]:
    """Returns labels of Python's types in an array of their own type."""
    values = labels.tolist()
    if not all(isinstance(v, str) for v in values) and not all(isinstance(v, (Real, np.bool_)) for v in values):
        raise ValueError("Unknown label type: labels are text or numbers, all of them; convert y")
    if any(isinstance(v, str) and v.endswith("\0") for v in values):
        raise ValueError("y has a label that ends in a zero character, which NumPy leaves out of text: rename it")
    return np.array(values) if values else labels


def _key(name: str) -> object:
    """Returns what the spellings of one class have in common, by which the program tells classes apart: of a number its value."""
    name = name.strip()
    if not name.isascii() or "_" in name:
        return name
    try:
        return int(name)
    except ValueError:
        pass
    try:
        value = float(name)
    except ValueError:
        return name
    return value if np.isfinite(value) else name


def names(classes: NDArray[Any], several: bool = False) -> list[str]:
    """Returns what the classes are called in a model: by themselves, or where they
    cannot be told apart so, have blanks at their ends, or are too long for a command line, by their numbers.
    In lists of several classes names are told apart by SEPARATOR, and "?" begins one that is not known.
    """
    return _names(_texts(classes.tolist()), several)


def ranked(classes: NDArray[Any], order: str | Sequence[Any]) -> tuple[list[str], list[str]]:
    """Returns what the classes are called in a model, and the order by such names, which may have more classes.

    The order "auto" is that of the classes' values. Raises ValueError for a class that the order lacks, or that has none.
    """
    if isinstance(order, str):
        if order != "auto":
            raise ValueError(f"ordered takes a list of classes, the lowest first, or 'auto', not {order!r}")
        try:
            order = sorted(classes.tolist(), key=float)
        except ValueError as error:
            raise ValueError(f"a class is no number ({error}): list the classes in ordered, the lowest first") from error
    if not len(order) or not all(map(str.strip, _texts(order))):
        raise ValueError("ordered has no class, or one without a name: list the classes, the lowest first, or leave it out")
    ranks = {_key(text): text for text in _texts(order)}
    texts = {_key(text): text for text in _texts(classes.tolist())}
    for c, key in zip(classes.tolist(), texts):
        if key not in ranks:
            raise ValueError(f"ordered lacks the class {c!r}, which y has labels of: list all classes, the lowest first")
    every = {**ranks, **texts}
    called = dict(zip(every, _names(list(every.values()))))
    return [called[key] for key in texts], [called[key] for key in map(_key, _texts(order))]


def _texts(classes: Iterable[Any]) -> list[str]:
    return [str(int(c)) if isinstance(c, float) else str(c) for c in classes]


def _names(called: list[str], several: bool = False) -> list[str]:
    """Returns names by which a model can have classes."""
    plain = all(name.isprintable() and name and name == name.strip() for name in called) and len({_key(name) for name in called}) == len(called)
    if several:
        plain = plain and not any(SEPARATOR in name or name[0] in "?[" for name in called)
    if plain and sum(map(len, called)) < LONGEST:
        return called
    return [str(k) for k in range(len(called))]
