"""DataFrames of pandas as tables that the program reads: with words, dates and gaps as they are."""

from __future__ import annotations

import json
import numbers
from typing import Any, Sequence

import numpy as np

from ._table import EMPTY, fields
from .errors import ValuesError

Frame = Any  # of pandas, which need not be there


def is_frame(X: Any) -> bool:
    """Reports whether X is a DataFrame of pandas."""
    return hasattr(X, "iloc") and hasattr(X, "columns")


def is_plain(X: Frame) -> bool:
    """Reports whether a DataFrame is numbers and booleans alone, without a gap."""
    if X.isna().to_numpy().any():
        return False
    return all(dtype.kind in "biuf" if dtype != object else _numbers(X.iloc[:, k]) for k, dtype in enumerate(X.dtypes))


def _numbers(column: Any) -> bool:
    return all(isinstance(value, (numbers.Real, np.bool_)) for value in column.tolist())


def in_numbers(X: Any) -> Any:
    """Returns points whose spans of time are days where they are columns of a DataFrame, as lines has them. Raises ValueError for dates there, which are no numbers."""
    kinds = [getattr(dtype, "kind", "O") for dtype in X.dtypes] if is_frame(X) else []
    if "M" in kinds:
        raise ValueError(f"the column {str(X.columns[kinds.index('M')])!r} holds dates, where the training had numbers: give the same columns in the same order")
    if "m" not in kinds:
        return X
    days = X.copy(deep=False)
    days.columns = range(len(kinds))  # names may come twice
    for k, kind in enumerate(kinds):
        if kind == "m":
            days[k] = days[k] / np.timedelta64(1, "D")
    days.columns = X.columns
    return days


def named(X: Frame) -> Frame:
    """Returns a DataFrame whose columns are called by text. Raises ValueError where two have one name, or there are no rows."""
    if not len(X):
        raise ValueError("the table has no rows: give one at least")
    names = [str(name) for name in X.columns]
    twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    if twice:
        raise ValueError(f"more than one column is called {min(twice)!r}: give every column of the table a name of its own")
    if not all(isinstance(name, str) for name in X.columns):
        X = X.copy(deep=False)
        X.columns = names
    return X


def categories(X: Frame) -> list[str]:
    """Returns the names of the columns that pandas has as categories, whatever their values look like."""
    return [name for name, dtype in zip(X.columns, X.dtypes) if dtype.name == "category" and not X[name].isna().all()]


def label(X: Frame) -> str:
    """Returns a name for a column of labels beside those of a DataFrame."""
    name, taken = "label", {column.lower() for column in X.columns}
    while name in taken:
        name += "_"
    return name


def lines(X: Frame, labels: Sequence[str] | None = None) -> bytes:
    """Returns a DataFrame as JSON lines: numbers with all their digits, and no value for a gap.

    labels are those of the rows, "" for none, which are called by label. Raises ValueError for
    infinite numbers, for values that are no fields, and for text that is not Unicode.
    """
    columns = [_checked(name, X[name]) for name in X.columns]
    names = list(X.columns)
    if labels is not None:
        names.append(label(X))
        columns.append([text or None for text in labels])
    encode = json.JSONEncoder(ensure_ascii=False).encode
    try:
        return "".join(encode(dict(zip(names, row))) + "\n" for row in zip(*columns)).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the table has text that is not Unicode ({error.reason}): read it with its encoding") from error


def _checked(name: str, column: Any) -> list[Any]:
    """Returns the fields of a column, which are numbers, texts and lists of numbers."""
    values = fields(column)
    for row, value in enumerate(values):
        if isinstance(value, float) and value - value != 0:
            raise ValuesError(f"row {row + 1}, column {name!r}: Input contains infinity", "; correct it, or leave a gap (rows are counted from 1)")
        if isinstance(value, list) and not np.isfinite(value).all():
            raise ValuesError(f"row {row + 1}, column {name!r}: a number of the vector is not finite", "; correct it, or leave a gap (rows are counted from 1)")
    for value, field in zip(column.tolist(), values) if column.dtype == object else []:
        if hasattr(value, "__len__") and not isinstance(value, (str, bytes)) and isinstance(field, str) and not field.startswith(('["', EMPTY)):
            raise ValueError(f"the column {name!r} holds values of the type {type(value).__name__}: give lists of numbers or of words, or make a column of each value")
    return values
