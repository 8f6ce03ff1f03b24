"""The errors of this package, a class for each name that the program gives one."""

from __future__ import annotations

from typing import Mapping


class LapSVMError(Exception):
    """What is wrong (fault), and what to do about it (advice, "" for nothing). code is its name in the program and its server."""

    code = ""

    def __init_subclass__(cls, code: str = "") -> None:
        cls.code = code or cls.code

    def __init__(self, fault: str = "", advice: str = "", text: str = "") -> None:
        sign = "" if advice.startswith("; ") or not advice else ": "  # of its own
        super().__init__(text or fault + sign + advice)
        self.fault, self.advice = fault, advice.removeprefix("; ")


class ProgramError(LapSVMError, RuntimeError):
    """The program failed, by no fault of data and parameters."""


class DataError(LapSVMError, ValueError, code="data"):
    """Data cannot be used."""


class ParameterError(LapSVMError, ValueError, code="parameter"):
    """A parameter is out of its range."""


class ExcludedError(ParameterError, code="excluded"):
    """Two parameters exclude each other."""


class LittleMemoryError(DataError, MemoryError, code="memory"):
    """There is less memory than it takes, or less is allowed."""


class NoLabelsError(DataError, code="no_labels"):
    """No row has a label."""


class OneClassError(DataError, code="one_class"):
    """All labels are of one class."""


class FewLabelsError(DataError, code="few_labels"):
    """Labels are too few for what is asked."""


class ColumnsError(DataError, code="columns"):
    """Rows have other columns than those of fit."""


class ValuesError(DataError, code="value"):
    """A value is not finite, out of range or no number."""


class RoundingError(DataError, code="rounding"):
    """The result is lost in rounding."""


class DamagedError(DataError, code="damaged"):
    """A file is damaged or cut off."""


class FormatError(DataError, code="format"):
    """A file is of another format, or of one that is not read."""


class VersionError(DataError, code="version"):
    """A newer program wrote the file."""


class LacksError(DataError, code="lacks"):
    """The model was trained without what is asked of it."""


class MissingError(DataError, FileNotFoundError, code="missing"):
    """A file is not there."""


BY_CODE: Mapping[str, type[LapSVMError]] = {
    kind.code: kind for kind in list(globals().values()) if isinstance(kind, type) and issubclass(kind, LapSVMError) and kind.code}
