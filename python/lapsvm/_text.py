"""Texts as weights of words, and of pairs and triples of characters, TF-IDF, as a model learnt them."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Callable, Sequence

import numpy as np
from scipy import sparse


def weights(texts: Sequence[str | None], vocabulary: Sequence[str], idf: Any, each: Callable[[str], list[str]]) -> tuple[Any, Any]:
    """Returns a CSR matrix of (1 + ln tf) idf of the known words of every text, rows of length 1, and for every text
    whether it has words and knows none of them. None is a missing text. The function each returns the words of a text.
    """
    place = {word: k for k, word in enumerate(vocabulary)}
    idf, unseen = np.asarray(idf, float), np.zeros(len(texts), bool)
    ends, index, values = [0], [], []
    for i, text in enumerate(texts):
        found = each(text or "")
        known = [place[word] for word in found if word in place]
        unseen[i] = bool(found) and not known
        at, count = np.unique(known, return_counts=True) if known else (np.zeros(0, int), np.zeros(0))
        weight = (1 + np.log(count)) * idf[at]
        index.append(at)
        values.append(weight / np.sqrt((weight * weight).sum()) if known else weight)
        ends.append(ends[-1] + len(at))
    entries = np.concatenate([*values, np.zeros(0)]), np.concatenate([*index, np.zeros(0, int)]), ends
    return sparse.csr_matrix(entries, (len(texts), len(vocabulary))), unseen


def words(text: str) -> list[str]:
    """Returns the runs of letters, digits and marks of two characters or more, in lower case."""
    return [run for run in _runs(text) if len(run) > 1]


def grams(text: str) -> list[str]:
    """Returns the pairs and triples of characters of all runs, with a blank before and behind each run."""
    padded = [f" {run} " for run in _runs(text)]
    return [run[k : k + size] for run in padded for size in (2, 3) for k in range(len(run) - size + 1)]


def _runs(text: str) -> list[str]:
    """Returns the runs of letters, digits and marks, in lower case."""
    if text.isascii():
        return re.findall("[a-z0-9]+", text.lower())
    text = "".join(c.lower()[0] for c in text)  # one character for each, whatever stands beside it
    inside = "".join(c if unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd" else " " for c in text)
    return inside.split()
