"""Parameters as they are given, and as the program has them: every other spelling is here."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping

# Parameters under another name, which is None where the first has the value.
SPELLINGS = {"standardize": "standardise", "neighbors": "neighbours", "unlabeled": "unlabelled"}

DEFAULTS = {"unlabelled": -1}  # of parameters whose default is not None

# Words of scikit-learn. American spellings of the program's own words are known to the program.
WORDS = {"kernel": {"rbf": "gaussian", "polynomial": "poly"}, "loss": {"squared_hinge": "squared-hinge"}}

# Widths of the kernels that scikit-learn writes with gamma: exp(-gamma |x-y|^2) and exp(-gamma |x-y|_1).
WIDTHS: dict[str, Callable[[float], float]] = {"gaussian": lambda gamma: 1 / math.sqrt(2 * gamma), "laplacian": lambda gamma: 1 / gamma}


def resolved(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns parameters by the names and in the words of the program.

    Raises ValueError where one is given twice, and for a gamma that is no width.
    """
    taken = dict(given)
    for other, name in SPELLINGS.items():
        value = taken.pop(other, None)
        if value is None:
            continue
        if taken[name] != DEFAULTS.get(name):
            raise ValueError(f"{other} is {name} in another spelling: give one of the two")
        taken[name] = value
    for name, words in WORDS.items():
        if isinstance(taken[name], str):
            taken[name] = words.get(taken[name], taken[name])
    kernel, gamma = taken["kernel"] or "gaussian", taken["gamma"]
    if gamma is not None and kernel in WIDTHS:
        if taken["sigma"] is not None:
            raise ValueError(f"sigma and gamma are both the width of the {kernel} kernel: give one of the two")
        if isinstance(gamma, str) or not 0 < gamma < math.inf:
            raise ValueError(f"gamma must be a positive number, not {gamma!r}: leave it out, and the width of the {kernel} kernel is chosen")
        taken["sigma"], taken["gamma"] = WIDTHS[kernel](float(gamma)), None
    return taken
