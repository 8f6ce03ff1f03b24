"""LapSVMClassifier with ordered classes."""

import pickle
import subprocess

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import lapsvm
from lapsvm import LabelledKFold, LapSVMClassifier, _command, _estimator

GIVEN = {"sigma": 0.7, "neighbours": 6, "laplacian_degree": 1, "gamma_a": 0.01, "gamma_i": 0.1, "standardise": "none", "precision": 64}
GRADES = ["low", "medium", "high", "top"]  # not in the order of the alphabet


@pytest.fixture(scope="module")
def graded():
    """Returns 160 points along a line, the place of each of them in one of four ranks, and which 40 are labelled."""
    rng = np.random.default_rng(7)
    X = rng.random((160, 2)) * [4, 1]
    return X, X[:, 0].astype(int), np.arange(160) < 40


def labels(names, truth, labelled):
    """Returns the names of the ranks of labelled rows, and None."""
    return np.array([names[rank] if there else None for rank, there in zip(truth, labelled)], object)


def test_ranks_are_learnt_and_told_from_the_lowest(graded):
    X, truth, labelled = graded
    model = LapSVMClassifier(ordered=GRADES).fit(X, labels(GRADES, truth, labelled))
    assert model.classes_.tolist() == GRADES and not model.multilabel_ and model.get_params()["ordered"] == GRADES
    named = np.array(GRADES)[truth]
    for decided in (model.predict(X), model.transduction_):
        assert (decided == named).mean() > 0.9
    scores, proba = model.decision_function(X), model.predict_proba(X)
    assert scores.shape == proba.shape == model.label_distributions_.shape == (160, 4)
    np.testing.assert_array_equal(model.classes_[(proba.cumsum(axis=1) < 0.5).sum(axis=1)], model.predict(X))
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert model.score(X, named) == (model.predict(X) == named).mean()
    for level in (0.8, 0.3):
        sets = model.predict_set(X, level)
        assert sets.any(axis=1).mean() > level and (np.abs(np.diff(np.pad(sets, ((0, 0), (1, 1))).astype(int))).sum(axis=1) <= 2).all()
        assert (sets == (model.classes_ == model.predict(X)[:, None]))[sets.sum(axis=1) == 1].all()
    low, high = model.expected_interval_
    assert 0 <= low <= model.expected_error_ <= high <= 1


def test_median_decides(graded):
    """It is another class than the most probable one where that is at an end and the others outweigh it."""
    X, truth, labelled = graded
    model = LapSVMClassifier(ordered=GRADES, **GIVEN).fit(X, labels(GRADES, truth, labelled))._load()
    scores = np.log([[0.4, 0.3, 0.2, 0.1], [0.3, 0.1, 0.15, 0.45], [0.6, 0.2, 0.1, 0.1], [0.25] * 4]) / model.slope
    assert model.decided(scores).tolist() == [1, 2, 0, 1] and scores.argmax(axis=1).tolist() == [0, 3, 0, 0]


def test_machines_lie_between_neighbours(graded):
    """Half of the difference of the decision values of neighbours is the output of a machine of two classes, those below and those above."""
    X, truth, labelled = graded
    scores = LapSVMClassifier(ordered=GRADES, solver="deformed", **GIVEN).fit(X, labels(GRADES, truth, labelled)).decision_function(X)
    for m in range(3):
        alone = LapSVMClassifier(solver="deformed", **GIVEN).fit(X, np.where(labelled, truth > m, -1))
        np.testing.assert_allclose(np.diff(scores)[:, m] / 2, alone.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("names", [
    GRADES, ["a, b", 'say "no"', "'", "z;"], ["\tfirst", "second", "third\n", "-"], ["12", "9", "100", "7.5"], ["1", "0", "3", "2"],
], ids=str)
def test_names_are_those_of_y(names, graded):
    X, truth, labelled = graded
    reference = LapSVMClassifier(ordered=[0, 1, 2, 3], **GIVEN).fit(X, np.where(labelled, truth, -1))
    model = LapSVMClassifier(ordered=names, **GIVEN).fit(X, labels(names, truth, labelled))
    assert model.classes_.tolist() == names
    np.testing.assert_array_equal(model.decision_function(X), reference.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), np.array(names)[reference.predict(X)])
    np.testing.assert_array_equal(model.predict_set(X, 0.8), reference.predict_set(X, 0.8))
    assert pickle.loads(pickle.dumps(model)).predict(X).tolist() == model.predict(X).tolist() and clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("names", [[-2, 0, 9, 10], ["-2", "0", "9", "10"], ["-2 ", "0 ", "9 ", "10 "], [1.0, 2.0, 30.0, 1e6]], ids=str)
def test_numbers_are_in_their_order(names, graded):
    X, truth, labelled = graded
    y = labels(names, truth, labelled)
    model = LapSVMClassifier(ordered="auto", **GIVEN).fit(X, y)
    assert model.classes_.tolist() == names
    np.testing.assert_array_equal(model.decision_function(X), LapSVMClassifier(ordered=names, **GIVEN).fit(X, y).decision_function(X))


def test_a_class_without_labels_keeps_its_rank(graded):
    """The order may have classes that no row is labelled with, as in a fold."""
    X, truth, labelled = graded
    model = LapSVMClassifier(ordered=GRADES, **GIVEN).fit(X, labels(GRADES, truth, labelled & (truth != 1)))
    assert model.classes_.tolist() == ["low", "high", "top"] and model.predict_proba(X).shape == (160, 3)
    two = LapSVMClassifier(ordered=GRADES, **GIVEN).fit(X, labels(GRADES, truth, labelled & (truth > 1)))
    assert two.classes_.tolist() == ["high", "top"] and two.decision_function(X).shape == (160,)
    y = labels(GRADES, truth, labelled)
    assert cross_val_score(LapSVMClassifier(ordered=GRADES, **GIVEN), X, y, cv=LabelledKFold(3), error_score="raise").min() > 0.7
    search = GridSearchCV(LapSVMClassifier(**GIVEN), {"ordered": [None, GRADES]}, cv=LabelledKFold(2), error_score="raise").fit(X, y)
    assert search.best_score_ > 0.7


@pytest.mark.parametrize("other", [
    {}, {"proba": False}, {"kernel": "linear", "sigma": None}, {"solver": "landmarks", "landmarks": 20, "compact": True},
], ids=str)
@pytest.mark.parametrize("classes", [2, 4])
def test_program_and_numpy_agree(other, classes, graded, program, tmp_path):
    X, truth, labelled = graded
    model = LapSVMClassifier(ordered=GRADES, threads=1, **{**GIVEN, **other}).fit(X, labels(GRADES, np.minimum(truth, classes - 1), labelled))
    loaded = lapsvm.load(model.model_)
    assert loaded.ordered and loaded.classes_ == GRADES[:classes]
    model.save(tmp_path / "m.lapsvm")
    np.savez(tmp_path / "x.npz", X=X)
    proba = [] if "proba" in other else ["--proba"]
    subprocess.run([_command.binary(), "predict", tmp_path / "m.lapsvm", tmp_path / "x.npz", "--scores", *proba, "-o", tmp_path / "o.csv", "--quiet"], check=True)
    out = pandas.read_csv(tmp_path / "o.csv", float_precision="round_trip")
    scores = out["score"] if classes == 2 else out[[f"score_{name}" for name in GRADES]]
    np.testing.assert_array_equal(model.decision_function(X), scores)
    np.testing.assert_allclose(loaded.decision_function(X), scores, atol=1e-12 * np.abs(scores).to_numpy().max())
    for decided in (model.predict(X), loaded.predict(X)):
        np.testing.assert_array_equal(decided, out["label"])
    if proba:
        np.testing.assert_array_equal(model.predict_proba(X), out[[f"proba_{name}" for name in GRADES[:classes]]])
        np.testing.assert_allclose(loaded.predict_proba(X), model.predict_proba(X), atol=1e-12)


def test_edges_and_tables(graded):
    X, truth, labelled = graded
    W = sparse.csr_matrix((np.abs(X[:, :1] - X[:, 0]) < 0.1).astype(float))
    y, known = labels(GRADES, truth, labelled), W[:, :120][:120]
    model = LapSVMClassifier(ordered=GRADES, **{**GIVEN, "neighbours": 0}).fit(X[:120], y[:120], edges=known)
    scores = model.decision_function(X[120:], edges=W[120:, :120])
    assert scores.shape == (40, 4) and (model.predict(X[120:], edges=W[120:, :120]) == np.array(GRADES)[truth[120:]]).mean() > 0.8
    np.testing.assert_allclose(lapsvm.load(model.model_).decision_function(X[120:], edges=W[120:, :120]), scores, atol=1e-9)
    table = pandas.DataFrame({"at": X[:, 0], "side": np.where(X[:, 1] < 0.5, "west", "east")})
    model = LapSVMClassifier(ordered=GRADES, neighbours=6, gamma_a=1e-3).fit(table, pandas.Series(y).astype("category"))
    assert model.classes_.tolist() == GRADES and model.score(table, np.array(GRADES)[truth]) > 0.8


def test_rows_that_numpy_predicts_are_those_of_the_program(graded, monkeypatch):
    X, truth, labelled = graded
    model = LapSVMClassifier(ordered=GRADES, **GIVEN).fit(X, labels(GRADES, truth, labelled))
    quick = model.decision_function(X), model.predict_proba(X)
    monkeypatch.setattr(_estimator, "WORK", -1)
    for numpy, program in zip(quick, (model.decision_function(X), model.predict_proba(X))):
        np.testing.assert_allclose(numpy, program, atol=1e-9)


@pytest.mark.parametrize("ordered, message", [
    (GRADES[1:], "ordered lacks the class 'low', which y has labels of: list all classes, the lowest first"),
    ([], "ordered has no class"),
    ("auto", "a class is no number .*'high'.*list the classes in ordered"),
    ("low,medium", "ordered takes a list of classes, the lowest first, or 'auto', not 'low,medium'"),
    ([*GRADES, "low"], "the order has the class \"low\" twice"),
    ([*GRADES, " "], "one without a name"),
], ids=str)
def test_orders_that_are_none(ordered, message, graded):
    X, truth, labelled = graded
    with pytest.raises(ValueError, match=message):
        LapSVMClassifier(ordered=ordered, **GIVEN).fit(X, labels(GRADES, truth, labelled))


def test_rows_of_several_classes_have_no_order(graded):
    X, truth, _ = graded
    with pytest.raises(ValueError, match="ordered"):
        LapSVMClassifier(ordered=[0, 1], **GIVEN).fit(X, np.column_stack([truth > 1, truth < 3]).astype(int))
