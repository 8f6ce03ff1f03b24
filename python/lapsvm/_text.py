"""Texts as weights of words, TF-IDF, as a model learnt them."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Sequence

import numpy as np
from scipy import sparse


def weights(texts: Sequence[str | None], words: Sequence[str], idf: Any) -> tuple[Any, bool]:
    """Returns a CSR matrix of (1 + ln tf) idf of the known words of every text, rows of length 1, and whether there are
    texts whose words are all unknown. None is a missing text.
    """
    place = {word: k for k, word in enumerate(words)}
    idf, unseen = np.asarray(idf, float), False
    ends, index, values = [0], [], []
    for text in texts:
        found = _words(text or "")
        known = [place[word] for word in found if word in place]
        unseen = unseen or bool(found) and not known
        at, count = np.unique(known, return_counts=True) if known else (np.zeros(0, int), np.zeros(0))
        weight = (1 + np.log(count)) * idf[at]
        index.append(at)
        values.append(weight / np.sqrt((weight * weight).sum()) if known else weight)
        ends.append(ends[-1] + len(at))
    entries = np.concatenate([*values, np.zeros(0)]), np.concatenate([*index, np.zeros(0, int)]), ends
    return sparse.csr_matrix(entries, (len(texts), len(words))), unseen


def _words(text: str) -> list[str]:
    """Returns the runs of letters, digits and marks of two characters or more, in lower case."""
    if text.isascii():
        return re.findall("[a-z0-9]{2,}", text.lower())
    text = "".join(c.lower()[0] for c in text)  # one character for each, whatever stands beside it
    inside = "".join(c if unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd" else " " for c in text)
    return [word for word in inside.split(" ") if len(word) > 1]
