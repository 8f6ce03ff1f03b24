"""Labels as scikit-learn has them, and as the program takes them."""

import numbers
import os
import warnings

import numpy as np
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets


# Characters of class names that a command line takes: of 32,767 that Windows has, and 131,071 of one argument on Linux.
LONGEST = 10_000 if os.name == "nt" else 50_000


def split(y, unlabelled):
    """Returns which rows have a label, and the labels of those.

    None, NaN, empty text, what a masked array leaves out, and the value unlabelled are no labels. But -1 is a label where y would have
    but one class without it: -1 and 1 are the classes of many a support vector machine.
    """
    if type(getattr(y, "dtype", None)).__module__.startswith("pandas"):
        y = y.astype(object)  # else numbers and booleans with gaps become floats
    if isinstance(y, np.ma.MaskedArray):
        y = np.where(np.ma.getmaskarray(y), None, y.data)
    y = column_or_1d(y, warn=True)
    values = y.tolist()
    present = np.array([not _is_missing(value) for value in values], bool)
    marked = np.array([there and value in (unlabelled, str(unlabelled)) for there, value in zip(present, values)], bool)
    labelled = present & ~marked
    if unlabelled == -1 and marked.any() and set(y[labelled].tolist()) in ({1}, {"1"}):
        if present.all():
            warnings.warn("y has the values -1 and 1 alone: they are taken as two classes, and no row is unlabelled. "
                          "Where -1 means no label, label rows of another class too; where it is a class, spell no label as None or NaN", stacklevel=4)
        labelled = present
    labels = _plain(y[labelled]) if y.dtype.kind == "O" else y[labelled]
    if labels.dtype.kind == "f":
        assert_all_finite(labels, input_name="y")
    if len(labels):
        check_classification_targets(labels)
    return labelled, labels


def _is_missing(value):
    return value is None or isinstance(value, (str, bytes)) and not value or isinstance(value, float) and value != value or type(value).__name__ in ("NAType", "NaTType")


def _plain(labels):
    """Returns labels of Python's types in an array of their own type."""
    values = labels.tolist()
    if not all(isinstance(v, str) for v in values) and not all(isinstance(v, (numbers.Real, np.bool_)) for v in values):
        raise ValueError("Unknown label type: labels are text or numbers, all of them; convert y")
    return np.array(values) if values else labels


def names(classes):
    """Returns what the classes are called in a model: by themselves, or where they
    cannot be told apart so, have blanks at their ends, or are too long for a command line, by their numbers.
    """
    called = [str(int(c)) if isinstance(c, float) else str(c) for c in classes.tolist()]
    plain = all(name.isprintable() and name and name == name.strip() for name in called) and len(set(called)) == len(called)
    if plain and sum(map(len, called)) < LONGEST:
        return called
    return [str(k) for k in range(len(called))]
