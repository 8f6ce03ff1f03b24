"""Columns of a table as features, as a model learnt them."""

from __future__ import annotations

import datetime
import math
import re
from typing import Any, Sequence, Union

import numpy as np
from scipy import sparse

from . import _text
from ._points import Floats, Rows

Cell = Union[float, str, None]

COMMON = ("", "?", "na", "nan")  # spellings of missing values by which no category is called
MISSING = COMMON + ("n/a", "null", "#n/a", "#n/a n/a", "#na", "<na>", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan")
NONE = "None"  # in this case alone; in any other it is a word, which is missing among numbers
BOOLEANS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}

ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?", re.ASCII)
ORDERED = re.compile(r"(\d{1,4})([/.-])(\d\d?)\2(\d{1,4})([T ].*)?", re.ASCII)
EPOCH = datetime.date(1970, 1, 1).toordinal()


def encoded(table: Any, columns: Sequence[dict[str, Any]]) -> tuple[Rows, bool]:
    """Returns the features of a table, whose columns have the names of the training's, and whether a category or a text
    has values of which the training had none.

    Features are an array, and with a text column a CSR matrix, in which numbers and dates are
    divided by their ranges. Raises ValueError for columns that are missing and for values
    that a column does not take.
    """
    unseen = False
    with_text = any(c["kind"] == "text" for c in columns)
    blocks = []
    for c in columns:
        if c["kind"] in ("id", "dropped"):
            continue
        if c["kind"] not in ("number", "boolean", "date", "category", "text"):
            raise ValueError(f"the column {c['name']!r} is of the kind {c['kind']}, which this loader does not know: use a newer lapsvm")
        if c["name"] not in table.columns:
            raise ValueError(f"the column {c['name']!r} is missing, which the model was trained with")
        if any(isinstance(value, (list, tuple, dict, np.ndarray)) for value in table[c["name"]].tolist()):
            raise ValueError(f"the column {c['name']!r} holds lists, where a {c['kind']} is expected: give every number a column of its own")
        values = fields(table[c["name"]])
        cells = [_cell(value) for value in values]
        if c["kind"] in ("text", "category"):
            if c["kind"] == "text":
                missing = _missing if c.get("nothing") else lambda cell: cell is None
                texts = [None if cell is None or missing(cell) else _spelling(cell) for cell in cells]
                block, new = _text.weights(texts, c.get("words", []), c.get("idf", []))
            else:
                block, new = _indicators(values, cells, c.get("values", []))
            unseen = unseen or new
            blocks.append(block)
        else:
            block = np.array([_value(cell, c, i) for i, cell in enumerate(cells)], float).reshape(-1, 1)
            if with_text and c["kind"] != "boolean":
                block = _within(block, c["low"], c["high"])
            blocks.append(block)
    return sparse.hstack(blocks, format="csr") if with_text else np.hstack(blocks), unseen


def fields(column: Any) -> list[Any]:
    """Returns the values of a column as a file has them: numbers, texts, and None for missing values."""
    kind = column.dtype.kind if isinstance(column.dtype, np.dtype) else ""
    values: list[Any] = column.tolist()
    if kind in ("i", "u"):
        return values
    return [None if value != value else value for value in values] if kind == "f" else [_field(value) for value in values]


def _field(value: Any) -> Cell | int:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, datetime.timedelta):
        return value / datetime.timedelta(days=1)
    if type(value).__name__ == "Period":
        value = value.start_time
    if isinstance(value, datetime.date):  # also of pandas
        return value.isoformat()
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return None if value != value else float(value)
    return str(value)


def _cell(value: Any) -> Cell:
    """Returns a field of a file as the program reads it: a number, a text, or None for a missing value."""
    if value is None or isinstance(value, float) and math.isfinite(value):
        return value
    text = str(value).strip(" \t")
    if text.lower() in COMMON:
        return None
    try:
        number = float(text)
    except ValueError:
        return str(value)
    return number if math.isfinite(number) and "_" not in text else str(value)


def _missing(cell: Cell) -> bool:
    """Returns whether a cell is a missing value in any spelling."""
    return cell is None or isinstance(cell, str) and (cell.strip(" \t").lower() in MISSING or cell.strip(" \t") == NONE)


def _spelling(cell: float | str) -> str:
    """Returns a cell as a text has it: numbers by their value, so that 1.0 and 01 are 1."""
    if isinstance(cell, str):
        return cell
    if cell == 0:
        return "0"
    return np.format_float_positional(cell, trim="-") if 1e-6 <= abs(cell) < 1e21 else repr(cell)


def _indicators(values: list[Any], cells: list[Cell], names: Sequence[str]) -> tuple[Floats, bool]:
    """Returns a column for every name of a category, 1 where a value is called so, or is a number that one of them alone is.
    Says too whether there are values that are none."""
    place: dict[Any, int] = {name: k for k, name in enumerate(names)}
    number: dict[float, int | None] = {}
    for k, name in enumerate(names):
        v = _cell(name)
        if isinstance(v, float):
            number[v] = None if v in number else k
    unseen = False
    block = np.zeros((len(cells), len(names)))
    for i, (value, cell) in enumerate(zip(values, cells)):
        at = place.get(value if isinstance(value, str) else cell)
        if at is None and isinstance(cell, float):
            at = number.get(cell)
        if at is not None:
            block[i, at] = 1
        elif not _missing(cell):
            unseen = True
    return block, unseen


def _value(cell: Cell, column: dict[str, Any], row: int) -> float:
    """Returns what a cell is in a column of numbers, booleans or dates."""
    if cell is None or isinstance(cell, str) and (_missing(cell) or cell.strip(" \t").lower() == NONE.lower()):
        return float(column["fill"])
    kind = column["kind"]
    if kind == "number" and isinstance(cell, float):
        return cell
    if kind == "boolean" and isinstance(cell, str) and cell.lower() in BOOLEANS:
        return BOOLEANS[cell.lower()]
    days = _days(cell, column.get("order", "")) if kind == "date" and isinstance(cell, str) else None
    if days is None:
        raise ValueError(f"row {row + 1}, column {column['name']!r}: {cell!r} is not a {kind}; correct or remove it")
    return days


def _days(text: str, order: str) -> float | None:
    """Returns a date as days since 1970-01-01 UTC, None where it is none.

    The order is "" for ISO 8601, which is read in every column, as timestamps of pandas are
    written so, or d/m/y, m/d/y or y/m/d. A time without a zone is UTC.
    """
    parts = ORDERED.fullmatch(text) if order else None
    if parts and (len(parts[1]) < 4 or order == "y/m/d"):
        part = dict(zip(order.split("/"), parts.group(1, 3, 4)))
        text = f"{part['y']}-{part['m']:0>2}-{part['d']:0>2}{parts.group(5) or ''}"
    date = ISO.fullmatch(text)
    if not date:
        return None
    year, month, day, hour, minute, second, sign, *zone = date.groups()
    try:
        days = datetime.date(int(year), int(month), int(day)).toordinal() - EPOCH
    except ValueError:
        return None
    hour, minute, second = int(hour or 0), int(minute or 0), float((second or "0").replace(",", "."))
    if hour > 23 or minute > 59 or second >= 60:
        return None
    seconds = 3600 * hour + 60 * minute + second
    if sign:
        east = 3600 * int(zone[0]) + 60 * int(zone[1] or 0)
        seconds -= east if sign == "+" else -east
    return days + seconds / 86400


def _within(x: Floats, low: float, high: float) -> Floats:
    """Returns where x lies between low and high: 0 at low, 1 at high."""
    if math.isinf(high - low):
        x, low, high = x / 2, low / 2, high / 2
    return (x - low) / (high - low)
