"""Data that tests share. LAPSVM_BINARY names the program; LAPSVM_LONG asks for the long tests too."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_moons

sys.path.insert(0, str(Path(__file__).parents[1]))

from lapsvm import _estimator  # noqa: E402


@pytest.fixture(scope="session")
def moons():
    """Returns 200 points of two moons, all classes, and y with four labels of each."""
    X, truth = make_moons(200, noise=0.08, random_state=0)
    y = np.full(200, -1)
    for c in (0, 1):
        rows = np.flatnonzero(truth == c)[:4]
        y[rows] = c
    return X, truth, y


@pytest.fixture
def program(monkeypatch):
    """Has the program predict however few rows there are."""
    monkeypatch.setattr(_estimator, "WORK", -1)


@pytest.fixture(scope="session")
def given():
    """Returns parameters that leave little to choose, so that a training takes no time."""
    return {"sigma": 0.35, "neighbours": 6, "laplacian_degree": 1, "gamma_a": 0.01, "gamma_i": 1, "standardise": "none"}
