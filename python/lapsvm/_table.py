"""Columns of a table as features, as a model learnt them."""

import datetime
import math
import re

import numpy as np
from scipy import sparse

from . import _text

COMMON = ("", "?", "na", "nan")  # spellings of missing values by which no category is called
MISSING = COMMON + ("n/a", "null", "#n/a", "#n/a n/a", "#na", "<na>", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan")
NONE = "None"  # in this case alone; in any other it is a word, which is missing among numbers
BOOLEANS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}

ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?", re.ASCII)
ORDERED = re.compile(r"(\d{1,4})([/.-])(\d\d?)\2(\d{1,4})([T ].*)?", re.ASCII)
EPOCH = datetime.date(1970, 1, 1).toordinal()


def encoded(table, columns):
    """Returns the features of a table, whose columns have the names of the training's.

    They are an array, and with a text column a CSR matrix, in which numbers and dates are
    divided by their ranges. Raises ValueError for columns that are missing and for values
    that a column does not take.
    """
    with_text = any(c["kind"] == "text" for c in columns)
    blocks = []
    for c in columns:
        if c["kind"] in ("id", "dropped"):
            continue
        if c["kind"] not in ("number", "boolean", "date", "category", "text"):
            raise ValueError(f"the column {c['name']!r} is of the kind {c['kind']}, which this loader does not know: use a newer lapsvm")
        if c["name"] not in table.columns:
            raise ValueError(f"the column {c['name']!r} is missing, which the model was trained with")
        values = table[c["name"]].tolist()
        if any(isinstance(value, (list, tuple, dict, np.ndarray)) for value in values):
            raise ValueError(f"the column {c['name']!r} holds lists, where a {c['kind']} is expected: give every number a column of its own")
        cells = [_cell(value) for value in values]
        if c["kind"] == "text":
            missing = _missing if c.get("nothing") else lambda cell: cell is None
            blocks.append(_text.weights([None if missing(cell) else _spelling(cell) for cell in cells], c.get("words", []), c.get("idf", [])))
        elif c["kind"] == "category":
            blocks.append(_indicators(values, cells, c.get("values", [])))
        else:
            block = np.array([_value(cell, c, i) for i, cell in enumerate(cells)], float).reshape(-1, 1)
            if with_text and c["kind"] != "boolean":
                block = _within(block, c["low"], c["high"])
            blocks.append(block)
    return sparse.hstack(blocks, format="csr") if with_text else np.hstack(blocks)


def _cell(value):
    """Returns a number, a text, or None for what is commonly a missing value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, datetime.date):  # also of pandas
        return value.isoformat()
    text = str(value).strip(" \t")
    if text.lower() in COMMON:
        return None
    try:
        number = float(text)
    except ValueError:
        return str(value)
    return number if math.isfinite(number) and "_" not in text else str(value)


def _missing(cell):
    """Returns whether a cell is a missing value in any spelling."""
    return cell is None or isinstance(cell, str) and (cell.strip(" \t").lower() in MISSING or cell.strip(" \t") == NONE)


def _spelling(cell):
    """Returns a cell as a text has it: numbers by their value, so that 1.0 and 01 are 1."""
    if isinstance(cell, str):
        return cell
    if cell == 0:
        return "0"
    return np.format_float_positional(cell, trim="-") if 1e-6 <= abs(cell) < 1e21 else repr(cell)


def _indicators(values, cells, names):
    """Returns a column for every name of a category, 1 where a value is called so, or is a number that one of them alone is."""
    place, number = {name: k for k, name in enumerate(names)}, {}
    for k, name in enumerate(names):
        v = _cell(name)
        if isinstance(v, float):
            number[v] = None if v in number else k
    block = np.zeros((len(cells), len(names)))
    for i, (value, cell) in enumerate(zip(values, cells)):
        k = place.get(value if isinstance(value, str) else cell)
        if k is None and isinstance(cell, float):
            k = number.get(cell)
        if k is not None:
            block[i, k] = 1
    return block


def _value(cell, column, row):
    """Returns what a cell is in a column of numbers, booleans or dates."""
    if _missing(cell) or isinstance(cell, str) and cell.strip(" \t").lower() == NONE.lower():
        return column["fill"]
    kind = column["kind"]
    if kind == "number" and isinstance(cell, float):
        return cell
    if kind == "boolean" and isinstance(cell, str) and cell.lower() in BOOLEANS:
        return BOOLEANS[cell.lower()]
    days = _days(cell, column.get("order", "")) if kind == "date" and isinstance(cell, str) else None
    if days is None:
        raise ValueError(f"row {row + 1}, column {column['name']!r}: {cell!r} is not a {kind}; correct or remove it")
    return days


def _days(text, order):
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


def _within(x, low, high):
    """Returns where x lies between low and high: 0 at low, 1 at high."""
    if math.isinf(high - low):
        x, low, high = x / 2, low / 2, high / 2
    return (x - low) / (high - low)
