"""A few rows are predicted in NumPy: the program's answers, to rounding, and its warnings."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from lapsvm import LapSVMClassifier, _command, _estimator


@pytest.fixture
def runs(monkeypatch):
    """Returns a list that grows with every run of the program."""
    seen, run = [], _command.run
    monkeypatch.setattr(_command, "run", lambda arguments, *rest: seen.append(arguments[0]) or run(arguments, *rest))
    return seen


# Differences of the largest decision value: that of single precision, in which the program multiplies by default.
@pytest.mark.parametrize("precision, most", [(32, 1e-4), (64, 1e-10)])
@pytest.mark.parametrize("read", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_answers_are_the_programs_to_rounding(read, precision, most, runs, monkeypatch):
    data = read()
    rows = np.random.RandomState(0).permutation(len(data.data))[:300]
    X, truth = data.data[rows], data.target[rows]
    y = np.where(np.arange(len(rows)) < 60, truth, -1)
    classifier = LapSVMClassifier(gamma_a=0.01, gamma_i=1, neighbours=6, laplacian_degree=1, precision=precision, describe="none").fit(X, y)
    del runs[:]
    quick = classifier.decision_function(X), classifier.predict_proba(X), classifier.predict(X)
    assert not runs
    monkeypatch.setattr(_estimator, "WORK", -1)
    scores = classifier.decision_function(X)
    assert runs == ["predict"]
    np.testing.assert_allclose(quick[0], scores, atol=most * np.abs(scores).max(), rtol=0)
    np.testing.assert_allclose(quick[1], classifier.predict_proba(X), atol=most)
    np.testing.assert_array_equal(quick[2], classifier.predict(X))


@pytest.mark.parametrize("kernel", [{"kernel": "linear"}, {"kernel": "poly", "gamma": 0.5}, {"kernel": "laplacian", "sigma": 1}, {}], ids=str)
def test_rows_that_are_far_go_to_the_program_which_warns(kernel, moons, given, runs):
    X, _, y = moons
    for points in (X, sparse.csr_matrix(X), sparse.csr_array(X)):
        classifier = LapSVMClassifier(**{**given, "sigma": None, **kernel}).fit(points, y)
        del runs[:]
        classifier.predict(points[:50])
        assert not runs
        with pytest.warns(UserWarning, match=r"1 of 1 row is (far|much longer) .*\(rows are counted from 1\)$"):
            classifier.predict(1000 * points[:1])
        assert runs == ["predict"]


def test_models_of_many_points_and_large_batches_go_to_the_program(moons, given, runs):
    X, _, y = moons
    classifier = LapSVMClassifier(**given).fit(X, y)
    many = LapSVMClassifier(solver="landmarks", landmarks=10, **given).fit(X, y)
    del runs[:]
    many.predict(X[:1])
    assert runs == ["predict"]
    classifier.predict(np.repeat(X, 40, axis=0))
    assert runs == ["predict"]
    classifier.predict(np.repeat(X, 400, axis=0))
    assert runs == ["predict", "predict"]


def test_given_kernel_values_agree(moons, given, monkeypatch):
    X, _, y = moons
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * 0.35**2))
    classifier = LapSVMClassifier(kernel="precomputed", metric="kernel", **{**given, "sigma": None, "precision": 64}).fit(K, y)
    quick = classifier.decision_function(K[:20])
    monkeypatch.setattr(_estimator, "WORK", -1)
    np.testing.assert_allclose(quick, classifier.decision_function(K[:20]), atol=1e-10)


def test_given_distances_agree(moons, given, monkeypatch):
    """Also with the machine on the points that they are the distances of."""
    X, _, y = moons
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    parameters = {**given, "precision": 64}
    classifier = LapSVMClassifier(kernel="precomputed", distances=True, **parameters).fit(D, y)
    quick = classifier.decision_function(D[:20])
    np.testing.assert_allclose(quick, LapSVMClassifier(**parameters).fit(X, y).decision_function(X[:20]), atol=1e-6)
    monkeypatch.setattr(_estimator, "WORK", -1)
    np.testing.assert_allclose(quick, classifier.decision_function(D[:20]), atol=1e-10)


def test_a_loaded_model_goes_with_its_classifier(moons, given):
    X, _, y = moons
    classifier = LapSVMClassifier(**given).fit(X, y)
    before = {name: id(value) for name, value in vars(classifier).items()}
    first = classifier.decision_function(X)
    assert {name: id(value) for name, value in vars(classifier).items()} == before and len(pickle.dumps(classifier)) < len(classifier.model_) + 10_000
    again = pickle.loads(pickle.dumps(classifier))
    classifier.set_params(gamma_i=0.0).fit(X, y)
    assert np.abs(classifier.decision_function(X) - first).max() > 0.01
    np.testing.assert_array_equal(again.decision_function(X), first)
    assert clone(classifier) not in _estimator._loaded
    model = weakref.ref(classifier._load())
    del classifier
    gc.collect()
    assert model() is None
