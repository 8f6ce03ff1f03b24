"""Columns of a table as features, as a model learnt them."""

from __future__ import annotations

import datetime
import json
import math
import re
from typing import Any, Callable, Dict, NamedTuple, Sequence, Union

import numpy as np
from scipy import sparse

from . import _text
from ._points import Floats, Rows
from .errors import ColumnsError, ValuesError, VersionError

Cell = Union[float, str, None]
Column = Dict[str, Any]  # as a model file has it

COMMON = ("", "?", "na", "nan")  # spellings of missing values by which no category is called
MISSING = COMMON + ("n/a", "null", "#n/a", "#n/a n/a", "#na", "<na>", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan")
LISTS = (list, tuple, np.ndarray)
EMPTY = "[]"  # a list without words
NONE = "None"  # in this case alone; in any other it is a word, which is missing among numbers
BOOLEANS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}

ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?", re.ASCII)
ORDERED = re.compile(r"(\d{1,4})([/.-])(\d\d?)\2(\d{1,4})([T ].*)?", re.ASCII)
CLOCK = re.compile(r"(\d\d?)(?::(\d\d)(?::(\d\d(?:[.,]\d+)?))?)? *([ap]\.?m\.?)?", re.ASCII | re.IGNORECASE)
BLANKS = " \u00a0\u202f\u2009"
MARKS = "'\u2019\u00a0\u202f\u2009"  # between thousands, beside a point and a comma
EPOCH = datetime.date(1970, 1, 1).toordinal()


def encoded(table: Any, columns: Sequence[Column]) -> tuple[Rows, bool]:
    """Returns the features of a table, whose columns have the names of the training's, and whether a category or a text
    has values of which the training had none.

    Features are an array, and with a text column a CSR matrix, in which numbers, dates and places are
    divided by their ranges. Raises ValueError for columns that are missing and for values
    that a column does not take.
    """
    for c in columns:
        if c["kind"] not in KINDS:
            raise VersionError(f"the column {c['name']!r} is of the kind {c['kind']}, which this loader does not know", "use a newer lapsvm")
    read = _Read(table, [c for c in columns if gives_features(c["kind"])])
    blocks, new = zip(*(KINDS[c["kind"]].features(read, c) for c in read.columns.values()))
    return sparse.hstack(blocks, format="csr") if read.with_text else np.hstack(blocks), any(new)


def gives_features(kind: str) -> bool:
    """Returns whether columns of a kind are features."""
    return kind not in KINDS or KINDS[kind].features is not None


class _Read:
    """The columns of a table by name: as a model has them, and their values as a file has them and as the program reads them."""

    def __init__(self, table: Any, columns: Sequence[Column]) -> None:
        self.columns = {c["name"]: c for c in columns}
        self.with_text: bool = any(KINDS[c["kind"]].sparse for c in columns)
        for name, c in self.columns.items():
            if name not in table.columns:
                raise ColumnsError(f"the column {name!r} is missing, which the model was trained with")
            if not KINDS[c["kind"]].lists and any(isinstance(value, (*LISTS, dict)) for value in table[name].tolist()):
                raise ValuesError(f"the column {name!r} holds lists, where a {c['kind']} is expected", "give every number a column of its own")
        self.values = {name: fields(table[name]) for name in self.columns}
        self.cells = {name: [_cell(value) for value in values] for name, values in self.values.items() if not KINDS[self.columns[name]["kind"]].lists}

    def numbers(self, column: Column) -> Floats:
        """Returns the values of a column whose kind has one, with what stands for a missing one."""
        return np.array([_value(cell, column, i) for i, cell in enumerate(self.cells[column["name"]])], float)


def fields(column: Any) -> list[Any]:
    """Returns the values of a column as a file has them: numbers, texts, lists of numbers, and None for missing values."""
    kind = column.dtype.kind if isinstance(column.dtype, np.dtype) else ""
    values: list[Any] = column.tolist()
    if kind in ("i", "u"):
        return values
    if kind == "f":
        return [None if value != value else value for value in values]
    values = [_field(value) for value in values]
    if any(isinstance(value, list) for value in values):
        return [None if value == EMPTY else value for value in values]  # a vector is missing
    return values


def _field(value: Any) -> Cell | int | list[float]:
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
    if isinstance(value, LISTS) and np.asarray(value).ndim == 1 and np.asarray(value).dtype.kind in "iuf":
        return np.asarray(value).tolist() or EMPTY
    if isinstance(value, LISTS) and all(isinstance(word, str) for word in value):
        return json.dumps(list(map(str, value)), ensure_ascii=False)
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


def _numbers(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns the values of a column, and that none is new."""
    block = read.numbers(column).reshape(-1, 1)
    return (_within(block, column["low"], column["high"]) if read.with_text and KINDS[column["kind"]].ranged else block), False


def _texts(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns the weights of the words of a text, and those of its pairs and triples of characters."""
    missing = _missing if column.get("nothing") else lambda cell: cell is None
    texts = [None if cell is None or missing(cell) else _spelling(cell) for cell in read.cells[column["name"]]]
    words, unseen = _text.weights(texts, column.get("words", []), column.get("idf", []), _text.words)
    if "grams" not in column:
        return words, any(unseen)
    grams, unknown = _text.weights(texts, column["grams"], column["gram_idf"], _text.grams)
    empty = words.getnnz(axis=1) == 0
    return sparse.hstack([words, grams], format="csr"), any(empty & unknown)


def _indicators(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns a column for every name of a category, 1 where a value is called so, or is a number that one of them alone is.
    Says too whether there are values that are none."""
    values, cells, names = read.values[column["name"]], read.cells[column["name"]], column.get("values", [])
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


def _vectors(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns the numbers of lists, the mean list where one is missing, and that none is new."""
    values, mean = read.values[column["name"]], np.array(column["mean"])
    block = np.tile(mean, (len(values), 1))
    for i, value in enumerate(values):
        vector = _listed(value) if isinstance(value, str) else value
        if vector is None:
            continue
        block[i] = _of_width(vector, column, i)
    return ((block - mean) / column["high"] if read.with_text else block), False


def _of_width(vector: Any, column: Column, row: int) -> Any:
    """Returns a list that has as many finite numbers as a column holds."""
    where, width = f"row {row + 1}, column {column['name']!r}", len(column["mean"])
    if not isinstance(vector, list):
        raise ValuesError(f"{where}: {str(vector)!r:.40} is not a vector", "; correct or remove it")
    if len(vector) != width:
        raise ValuesError(f"{where}: the vector has {len(vector)} numbers, but the training's had {width}", "; make them equal, or leave the field empty")
    if not np.isfinite(vector).all():
        raise ValuesError(f"{where}: a number of the vector is not finite", "; correct it, or leave the field empty")
    return vector


def _listed(text: str) -> list[float] | str | None:
    """Returns the numbers of a text in brackets, None for a missing value, and other text as it is."""
    if _missing(text) or text.strip(" \t").lower() == NONE.lower():
        return None
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        return text
    try:
        return [float(part) for part in re.split(r"\s*[,;]\s*|\s+", inner[1:-1].strip())] if inner[1:-1].strip() else None
    except ValueError:
        return text


def _value(cell: Cell, column: Column, row: int) -> float:
    """Returns what a cell is in a column whose kind has values."""
    if cell is None or isinstance(cell, str) and (_missing(cell) or cell.strip(" \t").lower() == NONE.lower()):
        return float(column["fill"])
    value: float | None = KINDS[column["kind"]].value(cell, column)
    if value is None:
        raise ValuesError(f"row {row + 1}, column {column['name']!r}: {cell!r} is not a {column['kind']}", "; correct or remove it")
    return value


def _number(cell: Cell, _: Column) -> float | None:
    return cell if isinstance(cell, float) else None


def _boolean(cell: Cell, _: Column) -> float | None:
    return BOOLEANS.get(cell.lower()) if isinstance(cell, str) else None


def _date(cell: Cell, column: Column) -> float | None:
    return _days(cell, column.get("order", "")) if isinstance(cell, str) else None


def _amounts(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns the numbers that people wrote, and that none is new."""
    name = column["name"]
    for i, (value, cell) in enumerate(zip(read.values[name], read.cells[name])):  # the mark of 1.200 may stand between thousands
        if isinstance(cell, float) and _amount(str(value), column) not in (None, cell):
            raise ValuesError(f"row {i + 1}, column {name!r}: {value!r} is not an amount", "; correct or remove it")
    return _numbers(read, column)


def _amount(cell: Cell, column: Column) -> float | None:
    """Returns a number as people write it, None where it is none in the unit of a column and with its marks."""
    unit: str = column.get("unit", "")
    if not isinstance(cell, str):
        return cell if unit != "%" else None
    text = cell.strip(" \t")
    negative = signed = len(text) > 2 and text[0] == "(" and text[-1] == ")"
    if signed:
        text = text[1:-1].strip(" \t")
    own = ""  # unit of the cell
    for _ in range(2):  # a sign, a unit and a sign
        if not signed and text[:1] in ("-", "\u2212", "+") and text[:1]:
            negative, signed, text = text[0] != "+", True, text[1:].lstrip(BLANKS)
        if unit not in ("", "%") and not own and text.startswith(unit):
            own, text = unit, text[len(unit) :].lstrip(BLANKS)
    if unit and not own and text.endswith(unit):
        own, text = unit, text[: -len(unit)].rstrip(BLANKS)
    if unit == "%" and not own:
        return None
    whole, comma, fraction = text.partition("," if column.get("comma") else ".")
    mark = next((c for c in whole if not "0" <= c <= "9"), None)
    if mark is not None:
        between = {c for c in whole if not "0" <= c <= "9"}
        groups = re.fullmatch(r"[1-9]\d{0,2}(\D\d{3})+|[1-9]\d?(\D\d\d)+\D\d{3}", whole, re.ASCII)
        if not groups or len(between) > 1 or mark not in MARKS + ("." if column.get("comma") else ","):
            return None
        whole = whole.replace(mark, "")
    if (fraction if comma else whole) == "" or (whole + fraction).strip("0123456789"):
        return None
    value = float((whole or "0") + "." + (fraction or "0"))
    return None if math.isinf(value) else -value if negative else value


def _times(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns the places of times of day on a circle of 24 hours, and that none is new."""
    sine, cosine = _sines(read.numbers(column) / 240)
    block = np.stack([cosine, sine], axis=-1)
    return (_within(block, -1.0, 1.0) if read.with_text else block), False


def _seconds(cell: Cell, _: Column) -> float | None:
    """Returns a time of day in seconds, None where it is none."""
    parts = CLOCK.fullmatch(cell.strip(" \t")) if isinstance(cell, str) else None
    if not parts or not parts[2] and not parts[4]:
        return None
    hours, minutes, seconds = int(parts[1]), int(parts[2] or 0), float((parts[3] or "0").replace(",", "."))
    if parts[4]:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if parts[4][0] in "pP" else 0)
    elif (hours, minutes, seconds) == (24, 0, 0):
        return 0.0  # the end of the day
    return 3600 * hours + 60 * minutes + seconds if hours < 24 and minutes < 60 and seconds < 60 else None


def _degrees(low: float, high: float) -> Callable[[Cell, Column], float | None]:
    return lambda cell, _: cell if isinstance(cell, float) and low <= cell <= high else None


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


def _within(x: Floats, low: Any, high: Any) -> Floats:
    """Returns where x lies between low and high: 0 at low, 1 at high."""
    if np.isinf(high - low).any():
        x, low, high = x / 2, low / 2, high / 2
    return np.asarray((x - low) / (high - low))


def _latitudes(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns the sines of latitudes."""
    sine, _ = _sines(read.numbers(column))
    sine = sine.reshape(-1, 1)
    return (_within(sine, column["low"], column["high"]) if read.with_text else sine), False


def _longitudes(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns what places on the unit sphere have beside the sines of their latitudes."""
    latitude = read.columns[column["with"]]
    mean, reach = _on_equator(latitude["fill"], column["fill"]), (latitude["high"] - latitude["low"]) / 2
    block = _on_equator(read.numbers(latitude), read.numbers(column))
    return (_within(block, mean - reach, mean + reach) if read.with_text else block), False


def _on_equator(latitude: Any, longitude: Any) -> Floats:
    """Returns cos(latitude) cos(longitude) and cos(latitude) sin(longitude), side by side."""
    _, length = _sines(latitude)
    y, x = _sines(longitude)
    return np.asarray(np.stack([length * x, length * y], axis=-1) + 0.0)


def _sines(degrees: Any) -> tuple[Floats, Floats]:
    """Returns sines and cosines, with the bits of the program's: sums of Taylor up to 45 degrees."""
    degrees = np.fmod(degrees, 360.0)
    quarters = np.floor(degrees / 90 + 0.5)
    angle = (degrees - 90 * quarters) * (math.pi / 180)
    square = angle * angle
    sine, cosine = np.ones_like(angle), np.ones_like(angle)
    for k in range(18, 0, -2):
        sine, cosine = 1 - square / (k * (k + 1)) * sine, 1 - square / (k * (k - 1)) * cosine
    sine = sine * angle
    quarter = quarters.astype(int) & 3
    return (np.choose(quarter, [sine, cosine, -sine, -cosine]) + 0.0, np.choose(quarter, [cosine, -sine, -cosine, sine]) + 0.0)


def _tags(read: _Read, column: Column) -> tuple[Rows, bool]:
    """Returns 1 for each word that a list has, and whether a row has words that no list of the training had."""
    places = {word: k for k, word in enumerate(column["values"])}
    values = read.values[column["name"]]
    block, new = np.zeros((len(values), len(places))), False
    for row, value in enumerate(values):
        if _missing(_cell(value)):
            continue
        try:
            words = json.loads(value) if isinstance(value, str) else None
        except ValueError:
            words = None
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValuesError(f"row {row + 1}, column {column['name']!r}: {value!r} is no list of words", "; correct or remove it")
        for word in words:
            if word.strip() in places:
                block[row, places[word.strip()]] = 1
            elif word.strip():
                new = True
    return block, new


class Kind(NamedTuple):
    """What is special about a kind of column."""

    features: Any = None  # of a table and a column, and whether there are new values; None without features
    value: Any = None  # of a cell that is not missing, None where it is none; for the kinds that have values
    ranged: bool = False  # beside text values are divided by their range
    sparse: bool = False  # points are sparse with such a column
    names: bool = False  # fields name the rows
    lists: bool = False  # fields are lists of numbers or of words


LATEST = 8  # version of the encodings of these kinds
KINDS = {
    "vector": Kind(_vectors, lists=True),
    "number": Kind(_numbers, _number, ranged=True),
    "boolean": Kind(_numbers, _boolean),
    "date": Kind(_numbers, _date, ranged=True),
    "time": Kind(_times, _seconds),
    "amount": Kind(_amounts, _amount, ranged=True),
    "latitude": Kind(_latitudes, _degrees(-90, 90)),
    "longitude": Kind(_longitudes, _degrees(-180, 360)),
    "category": Kind(_indicators),
    "tags": Kind(_tags, lists=True),
    "text": Kind(_texts, sparse=True),
    "id": Kind(names=True),
    "dropped": Kind(),
}
