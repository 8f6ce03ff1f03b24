"""Columns of a table as features, as a model learnt them: numbers, booleans and categories."""

import math

import numpy as np

MISSING = ("", "?", "na", "nan")
NOTHING = MISSING + ("n/a", "#n/a", "#n/a n/a", "#na", "<na>", "null", "none", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan")
BOOLEANS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}


def encoded(table, columns):
    """Returns the features of a table, whose columns have the names of the training's.

    Raises ValueError for kinds of columns that are not encoded here (text and dates), for
    columns that are missing and for values that a column does not take.
    """
    other = [c for c in columns if c["kind"] in ("text", "date")]
    if other:
        raise ValueError(f"the column {other[0]['name']!r} is {'a ' if other[0]['kind'] == 'date' else ''}{other[0]['kind']}, "
                         "which this loader does not encode: predict with lapsvm predict")
    features = []
    for c in columns:
        if c["kind"] in ("id", "dropped"):
            continue
        if c["name"] not in table.columns:
            raise ValueError(f"the column {c['name']!r} is missing, which the model was trained with")
        cells = [_cell(value) for value in table[c["name"]].tolist()]
        if c["kind"] == "category":
            values = c.get("values", [])
            place = {value: k for k, value in enumerate(values)}
            block = np.zeros((len(cells), len(values)))
            for i, cell in enumerate(cells):
                k = place.get(_spelling(cell)) if cell is not None else None
                if k is not None:
                    block[i, k] = 1
        else:
            block = np.array([[_value(cell, c, i)] for i, cell in enumerate(cells)]).reshape(len(cells), 1)
        features.append(block)
    return np.hstack(features)


def _cell(value):
    """Returns a number, a text, or None for a missing value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    text = str(value).strip(" \t")
    if text.lower() in MISSING:
        return None
    try:
        number = float(text)
    except ValueError:
        return str(value)
    return number if math.isfinite(number) and "_" not in text else str(value)


def _spelling(cell):
    if isinstance(cell, str):
        return cell
    return str(int(cell)) if cell == int(cell) and abs(cell) < 1e21 else repr(cell)


def _value(cell, column, row):
    if cell is None or isinstance(cell, str) and cell.strip(" \t").lower() in NOTHING:
        return column["fill"]
    if column["kind"] == "number" and isinstance(cell, float):
        return cell
    if column["kind"] == "boolean" and isinstance(cell, str) and cell.lower() in BOOLEANS:
        return BOOLEANS[cell.lower()]
    raise ValueError(f"row {row + 1}, column {column['name']!r}: {cell!r} is not a {column['kind']}; correct or remove it")
