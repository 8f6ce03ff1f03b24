"""Models on landmarks that keep their training points give in NumPy what the program gives."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_moons

from lapsvm import LapSVMClassifier, _neighbours, _points, load

OLDER = Path(__file__).parents[2] / "testdata" / "older"
pytestmark = pytest.mark.usefixtures("program")  # which loaded models are held against


def data(kind, classes, n, seed):
    """Returns n points of two moons in five columns, of which two are noise with zeros, and their classes."""
    X, truth = make_moons(n, noise=0.08, random_state=seed)
    noise = 0.05 * np.random.RandomState(seed).randn(n, 3)
    X = np.hstack([X, np.where(np.abs(noise) < 0.03, 0, noise)])
    truth = np.where((X[:, 0] > 1.2) & (classes == 3), 2, truth)
    if kind == "uint8":
        return (40 * X + 100).clip(0, 255).astype(np.uint8), truth
    return sparse.csr_matrix(X) if kind == "sparse" else X.astype(kind), truth


@pytest.mark.parametrize("kind, classes, parameters", [
    ("float64", 2, {}), ("float32", 3, {"standardise": "zscore"}), ("float64", 3, {"standardise": "unit-norm", "metric": "cosine"}),
    ("uint8", 3, {"sigma": 4}), ("uint8", 2, {"standardise": "unit-norm"}), ("sparse", 2, {}), ("sparse", 3, {"metric": "cosine"}), ("float32", 2, {"metric": "self-tuning"}), ("float64", 3, {"ordered": [1, 0, 2]}),
], ids=str)
def test_values_are_those_of_the_program(kind, classes, parameters):
    X, truth = data(kind, classes, 1500, 0)
    new, _ = data(kind, classes, 400, 1)
    y = np.where(np.arange(1500) < 40, truth, -1)
    parameters = {"sigma": 0.1, "standardise": "none", "precision": 64, "gamma_a": 0.01, "gamma_i": 1, "neighbours": 6, **parameters}
    classifier = LapSVMClassifier(solver="landmarks", landmarks=10, **parameters).fit(X, y)
    model = load(classifier.model_)
    assert model._local and model._local.points.stored.dtype == X.dtype
    scores = classifier.decision_function(new)
    apart = np.abs(model.decision_function(new) - scores).reshape(400, -1).max(axis=1) > 1e-9 * np.abs(scores).max()
    assert apart.mean() < 0.02  # where the program's index has missed a neighbour
    np.testing.assert_array_equal(model.predict(new)[~apart], classifier.predict(new)[~apart])
    np.testing.assert_allclose(model.predict_proba(new)[~apart], classifier.predict_proba(new)[~apart], atol=1e-9)


def test_a_file_of_an_older_program():
    older = load(OLDER / "neighbours.lapsvm")
    points = np.loadtxt(OLDER / "points.csv", delimiter=",", skiprows=1, usecols=(0, 1))
    recorded = np.loadtxt(OLDER / "neighbours.csv", delimiter=",", skiprows=1)
    np.testing.assert_allclose(older.decision_function(points), recorded[:, 1], atol=1e-9)


@pytest.mark.parametrize("pairs", [10, 1 << 20])
@pytest.mark.parametrize("cosine", [False, True])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_matrix])
def test_neighbours_are_the_nearest_and_of_equal_ones_the_first(monkeypatch, kind, cosine, pairs):
    monkeypatch.setattr(_neighbours, "PAIRS", pairs)
    monkeypatch.setattr(_neighbours, "POINTS", 64)
    random = np.random.RandomState(0)
    points, x = random.randint(-2, 3, (300, 3)).astype(float), random.randint(-2, 3, (40, 3)).astype(float)
    points[5], x[1] = 0, 0
    x[0] = 1e200  # so far that all are as far
    a, b = (_points.unit(m) if cosine else m for m in (x, points))
    with np.errstate(over="ignore"):
        squared = ((a[:, None] - b) ** 2).sum(axis=2)
    if cosine:
        squared[(a == 0).all(axis=1)[:, None] | (b == 0).all(axis=1)] = 2
    expected = np.argsort(squared, axis=1, kind="stable")[:, :7]
    residuals = random.randn(300, 2).astype(np.float32)
    local = _neighbours.Local(_points.Table(kind(points)), residuals, 7, cosine)
    np.testing.assert_allclose(local.values(kind(x)), residuals[expected].mean(axis=1, dtype=float), atol=1e-15)
