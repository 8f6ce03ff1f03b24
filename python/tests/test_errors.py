"""Errors have classes, by the names that the program gives them, and keep fault and advice apart."""

import pickle

import numpy as np
import pandas as pd
import pytest
from lapsvm import LapSVMClassifier, LapSVMRegressor, errors, load


def given(**parameters):
    return LapSVMClassifier(sigma=0.3, gamma_a=0.1, gamma_i=1, neighbours=5, laplacian_degree=1, standardise="none", **parameters)


X = np.random.default_rng(0).random((40, 2))
Y = np.array([0] * 4 + [1] * 4 + [-1] * 32)


def newer():
    data = bytearray(given(proba=False).fit(X, Y).model_)
    data[len(b"LAPSVM\r\n")] = 250
    return bytes(data)


@pytest.mark.parametrize("name, also, cause", [
    ("memory", MemoryError, lambda: given(memory="10kB").fit(np.tile(X, (99, 1)), np.tile(Y, 99))),
    ("no_labels", ValueError, lambda: given().fit(X, np.full(40, -1))),
    ("no_labels", ValueError, lambda: LapSVMRegressor().fit(X, np.full(40, np.nan))),
    ("one_class", ValueError, lambda: given().fit(X, np.where(Y == 1, -1, Y))),
    ("few_labels", ValueError, lambda: given().fit(X, Y).predict_set(X, 0.99)),
    ("columns", ValueError, lambda: load(given().fit(X, Y).model_).predict(X[:, [0, 1, 1]])),
    ("damaged", ValueError, lambda: load(given().fit(X, Y).model_[:-9])),
    ("format", ValueError, lambda: load(b"a,b\n1,2\n")),
    ("version", ValueError, lambda: load(newer())),
    ("lacks", ValueError, lambda: load(given(proba=False).fit(X, Y).model_).predict_proba(X)),
    ("excluded", ValueError, lambda: given(solver="pcg", landmarks=7).fit(X, Y)),
    ("rounding", ValueError, lambda: LapSVMClassifier(sigma=2, gamma_a=1e-25, gamma_i=1e6, neighbours=5, laplacian_degree=3, solver="landmarks", landmarks=30,
                                                      standardise="none", precision=32).fit(np.tile(X, (5, 1)) + np.arange(5).repeat(40)[:, None] / 99, np.tile(Y, 5))),
    ("missing", FileNotFoundError, lambda: LapSVMClassifier(text="t", word_vectors="nowhere.vec").fit(pd.DataFrame({"t": ["some words"] * 20 + ["other words"] * 20}), Y)),
    ("parameter", ValueError, lambda: given(solver="magic").fit(X, Y)),
])
def test_every_name_has_a_class(name, also, cause):
    with pytest.raises(errors.BY_CODE[name]) as caught:
        cause()
    error = caught.value
    assert type(error) is errors.BY_CODE[name] and error.code == name and isinstance(error, also) and isinstance(error, ValueError)
    assert str(error).startswith(error.fault) and str(error).endswith(error.advice) and "--" not in str(error)
    assert error.advice or name == "parameter"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.fault, again.advice) == (type(error), str(error), error.fault, error.advice)


@pytest.mark.parametrize("estimator, y", [(LapSVMClassifier(), [0, 0, 0]), (LapSVMRegressor(), [None, None])])
def test_labels_of_fewer_rows(estimator, y):
    """The number of rows is told before what their labels lack."""
    for asked in (estimator.fit, estimator.audit, estimator.suggest):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            asked(X, y)
