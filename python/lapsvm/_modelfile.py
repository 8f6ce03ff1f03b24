"""A model file: its header, and the arrays that follow it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import DamagedError, FormatError, VersionError

MAGIC = b"LAPSVM\r\n"
LATEST = 11  # version of the format
VIEWS = "views"  # the part of the machines of a mean, a whole file each
MEAN_EACH = "mean-each"  # an empty part, where the mean is of several classes
CELLS = "cells"  # the part that tells how neighbours are found, without values of its own


class Values:
    """The arrays of a file, one after the other."""

    def __init__(self, data: memoryview, name: str) -> None:
        self.data, self.name, self.at = data, name, 0

    def take(self, kind: str, count: int) -> NDArray[Any]:
        size = count * np.dtype(kind).itemsize
        if type(count) is not int or count < 0 or self.at + size > len(self.data):
            raise DamagedError(f"{self.name}: the file is damaged or cut off", "fetch or train it again")
        values: NDArray[Any] = np.frombuffer(self.data, kind, count, self.at)
        self.at += size
        return values

    def end(self) -> None:
        """Raises DamagedError where arrays are left, as then others may have been taken for them."""
        if self.at != len(self.data):
            raise DamagedError(f"{self.name}: the file is damaged (it goes on after its arrays)", "fetch or train it again")


def opened(data: bytes, name: str) -> tuple[dict[str, Any], Values]:
    """Returns the header of a file and its arrays, which are whole."""
    if data[:8] != MAGIC:
        raise FormatError(f"{name} is not a lapsvm model file", "; train one with lapsvm train")
    version = int.from_bytes(data[8:12], "little")
    if version > LATEST:
        raise VersionError(f"{name}: the model is of format version {version}, this loader reads versions up to {LATEST}", "use a newer lapsvm")
    if len(data) < 48 or hashlib.sha256(memoryview(data)[:-32]).digest() != data[-32:]:
        raise DamagedError(f"{name}: the file is damaged or cut off", "fetch or train it again")
    end = 16 + int.from_bytes(data[12:16], "little")
    header = json.loads(data[16:end])
    for part in header.get("parts") or []:
        if not part.get("skip") and part["name"] not in (VIEWS, MEAN_EACH, CELLS):
            raise VersionError(f"{name}: the model has a part {part['name']!r}, which this loader does not know and must not skip", "use a newer lapsvm")
    return header, Values(memoryview(data)[end:-32], name)


def check_version(part: dict[str, Any] | None, known: int, name: str, what: str) -> None:
    """Raises ValueError for a part of a file that is of a later version than is known."""
    if part and not 1 <= part["version"] <= known:
        raise VersionError(f"{name}: the model's {what} is of version {part['version']}, this loader reads versions up to {known}", "use a newer lapsvm")
