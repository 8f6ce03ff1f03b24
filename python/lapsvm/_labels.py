"""Labels as scikit-learn has them, and as the program takes them."""

from __future__ import annotations

import collections
import os
import warnings
from numbers import Real
from typing import Any, Iterable

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets


# Characters of class names that a command line takes: of 32,767 that Windows has, and 131,071 of one argument on Linux.
LONGEST = 10_000 if os.name == "nt" else 50_000


def split(y: Any, unlabelled: Any) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Returns which rows have a label, and the labels of those.

    None, NaN, empty text, what a masked array leaves out, and the value unlabelled are no labels. But -1 is a label where y would have
    but one class without it: -1 and 1 are the classes of many a support vector machine.
    """
    y, present = _present(y)
    values = y.tolist()
    marked = np.array([there and value in (unlabelled, str(unlabelled)) for there, value in zip(present, values)], bool)
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
    return labelled, labels


def numbers(y: Any) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Returns which rows have a number, and the numbers of those.

    None, NaN, empty text and what a masked array leaves out are none.
    """
    y, present = _present(y)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: labels of a regression are real numbers")
    try:
        values = y[present].astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y has a label that is no number ({error}): correct it, or train LapSVMClassifier") from error
    assert_all_finite(values, input_name="y")
    return present, values


def folded(y: Any, unlabelled: Any) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Returns which rows have a label, and the labels of those: numbers where some have fractions, of which unlabelled is one."""
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
    if isinstance(y, np.ma.MaskedArray):
        y = np.where(np.ma.getmaskarray(y), np.array(None), y.data)  # type: ignore[no-untyped-call]
    y = column_or_1d(y, warn=True)
    return y, np.array([not _is_missing(value) for value in y.tolist()], bool)


def _may_be_class(labels: Iterable[Any], rows: int) -> bool:
    """Returns whether -1, which so many rows have, may be a class: the others are 0, 1, … or 1, 2, …, at least two of them,
    as where the program warns, and one of them has as many rows."""
    counts = collections.Counter(labels)
    if not rows or not all(isinstance(v, (int, float)) or isinstance(v, str) and v.isdecimal() for v in counts):
        return False
    classes = sorted(float(v) for v in counts)
    return len(classes) > 1 and classes[0] in (0, 1) and classes == [classes[0] + k for k in range(len(classes))] and max(counts.values()) >= rows


def _is_missing(value: object) -> bool:
    return value is None or isinstance(value, (str, bytes)) and not value or isinstance(value, float) and value != value or type(value).__name__ in ("NAType", "NaTType")


def _plain(labels: NDArray[Any]) -> NDArray[Any]:
    """Returns labels of Python's types in an array of their own type."""
    values = labels.tolist()
    if not all(isinstance(v, str) for v in values) and not all(isinstance(v, (Real, np.bool_)) for v in values):
        raise ValueError("Unknown label type: labels are text or numbers, all of them; convert y")
    return np.array(values) if values else labels


def names(classes: NDArray[Any]) -> list[str]:
    """Returns what the classes are called in a model: by themselves, or where they
    cannot be told apart so, have blanks at their ends, or are too long for a command line, by their numbers.
    """
    called = [str(int(c)) if isinstance(c, float) else str(c) for c in classes.tolist()]
    plain = all(name.isprintable() and name and name == name.strip() for name in called) and len(set(called)) == len(called)
    if plain and sum(map(len, called)) < LONGEST:
        return called
    return [str(k) for k in range(len(called))]
