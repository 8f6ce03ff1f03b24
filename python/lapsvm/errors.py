"""The errors of this package, a class for each name that the program gives one."""

from __future__ import annotations

from typing import Any, Mapping


class LapSVMError(Exception):
    """An error with what is wrong (fault) and what to do about it (advice, "" for nothing) apart. code is its name in the program and its server."""

    code = ""

    def __init__(self, fault: str = "", advice: str = "", text: str = "") -> None:
        sign = "" if advice.startswith("; ") or not advice else ": "  # of its own
        super().__init__(text or fault + sign + advice)
        self.fault, self.advice = fault, advice.removeprefix("; ")


class ProgramError(LapSVMError, RuntimeError):
    """The program failed, by no fault of data and parameters."""


class DataError(LapSVMError, ValueError):
    """Data cannot be used."""

    code = "data"


class ParameterError(LapSVMError, ValueError):
    """A parameter is out of its range."""

    code = "parameter"


class ExcludedError(ParameterError):
    """Two parameters exclude each other."""

    code = "excluded"


class LittleMemoryError(DataError, MemoryError):
    """There is less memory than it takes, or less is allowed."""

    code = "memory"


class NoLabelsError(DataError):
    """No row has a label."""

    code = "no_labels"


class OneClassError(DataError):
    """All labels are of one class."""

    code = "one_class"


class FewLabelsError(DataError):
    """Labels are too few for what is asked."""

    code = "few_labels"


class ColumnsError(DataError):
    """Rows have other columns than those of fit."""

    code = "columns"


class ValuesError(DataError):
    """A value is not finite, out of range or no number."""

    code = "value"


class RoundingError(DataError):
    """The result is lost in rounding."""

    code = "rounding"


class DamagedError(DataError):
    """A file is damaged or cut off."""

    code = "damaged"


class FormatError(DataError):
    """A file is of another format, or of one that is not read."""

    code = "format"


class VersionError(DataError):
    """A newer program wrote the file."""

    code = "version"


class LacksError(DataError):
    """The model was trained without what is asked of it."""

    code = "lacks"


class MissingError(DataError, FileNotFoundError):
    """A file is not there."""

    code = "missing"


BY_CODE: Mapping[str, type[LapSVMError]] = {kind.code: kind for kind in (
    DataError, ParameterError, ExcludedError, LittleMemoryError, NoLabelsError, OneClassError, FewLabelsError, ColumnsError, ValuesError,
    RoundingError, DamagedError, FormatError, VersionError, LacksError, MissingError)}


def called(code: Any, otherwise: type[LapSVMError]) -> type[LapSVMError]:
    """Returns the class of a name, or another where the name is unknown, as of a newer program."""
    return BY_CODE.get(str(code), otherwise)
