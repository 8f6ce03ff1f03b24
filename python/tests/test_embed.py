"""Texts by what others trained: vectors of words, and of a command."""

import sys

import numpy as np
import pandas
import pytest

from lapsvm import LapSVMClassifier


def test_vectors_of_texts(tmp_path):
    """Columns of text have vectors by a file of words' vectors, or by a command, in fit and in predict."""
    texts = ["the cat sleeps all day", "a dog and a kitten play", "the kitten sleeps near a dog", "a cat and a puppy play all day",
             "stocks fell and bonds rose", "shares rose while markets fell", "bonds and shares fell", "markets rose while stocks fell all day"]
    X, y = pandas.DataFrame({"post": texts}), np.array([0, 0, -1, -1, 1, 1, -1, -1])
    words = tmp_path / "words.txt"
    words.write_text("cat 1 0\ndog 1 0.1\nkitten 1 0\nstocks 0 1\nbonds 0.1 1\nshares 0 1\n")
    given = {"text": "post", "neighbours": 3, "laplacian_degree": 1, "gamma_a": 0.01, "gamma_i": 0.1}
    by_words = LapSVMClassifier(word_vectors=words, describe="word-vectors", **given).fit(X, y)
    words.unlink()
    assert by_words.predict(pandas.DataFrame({"post": ["a kitten", "stocks and shares"]})).tolist() == [0, 1]
    program = tmp_path / "vectors.py"
    program.write_text("import json, sys\nfor line in sys.stdin:\n    text = json.loads(line)['text']\n    print([sum(text.count(w) for w in ws) for ws in (('cat', 'dog', 'kitten'), ('stocks', 'bonds', 'shares', 'markets'))])\n")
    command = f"{sys.executable} {program}"
    by_command = LapSVMClassifier(embed_with=command, embed_cache=tmp_path / "kept", describe="vectors", **given).fit(X, y)
    assert by_command.columns_["post embedded"] == "vector"
    assert by_command.predict(pandas.DataFrame({"post": ["one cat", "bonds"]})).tolist() == [0, 1]
    assert by_command.predict(pandas.DataFrame({"post": ["one cat"], "post embedded": [[0.0, 2.0]]})).tolist() == [1]
    by_command.set_params(embed_with=None, embed_cache=None)
    with pytest.raises(ValueError, match="vectors of \"post\" are needed, made by the command"):
        by_command.predict(pandas.DataFrame({"post": ["one dog"]}))
