"""Texts as weights of words, TF-IDF, as a model learnt them."""

import re
import unicodedata

import numpy as np
from scipy import sparse


def weights(texts, words, idf):
    """Returns a CSR matrix of (1 + ln tf) idf of the known words of every text, rows of length 1; None is a missing text."""
    place = {word: k for k, word in enumerate(words)}
    idf = np.asarray(idf, float)
    ends, index, values = [0], [], []
    for text in texts:
        known = [place[word] for word in _words(text or "") if word in place]
        at, count = np.unique(known, return_counts=True) if known else (np.zeros(0, int), np.zeros(0))
        weight = (1 + np.log(count)) * idf[at]
        index.append(at)
        values.append(weight / np.sqrt((weight * weight).sum()) if known else weight)
        ends.append(ends[-1] + len(at))
    index, values = (np.concatenate([*parts, kind]) for parts, kind in ((index, np.zeros(0, int)), (values, np.zeros(0))))
    return sparse.csr_matrix((values, index, ends), (len(texts), len(words)))


def _words(text):
    """Returns the runs of letters, digits and marks of two characters or more, in lower case."""
    if text.isascii():
        return re.findall("[a-z0-9]{2,}", text.lower())
    text = "".join(c.lower()[0] for c in text)  # one character for each, whatever stands beside it
    inside = "".join(c if unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd" else " " for c in text)
    return [word for word in inside.split(" ") if len(word) > 1]
