"""LapSVMClassifier with several classes of a row at once: matrices of 1, 0 and what is not known."""

import pickle
import subprocess

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import f1_score
from sklearn.model_selection import cross_val_score

import lapsvm
from lapsvm import LabelledKFold, LapSVMClassifier, _command

GIVEN = {"sigma": 0.7, "neighbours": 6, "laplacian_degree": 1, "gamma_a": 0.01, "gamma_i": 0.1, "standardise": "none"}
NAMES = ["sport", "law; order", "None"]


@pytest.fixture(scope="module")
def posts():
    """Returns 240 points in three dimensions, each of which has a class, or has it not, by a coordinate; all classes, and those of 40."""
    rng = np.random.default_rng(3)
    truth = (rng.random((240, 3)) < [0.5, 0.4, 0.2]).astype(int)
    X = 2 * truth + rng.random((240, 3))
    Y = np.where(np.arange(240)[:, None] < 40, truth, -1)
    Y[3, 0] = Y[4, 2] = -1
    return X, truth, Y


def test_matrix_is_chosen_for_and_predicted(posts):
    X, truth, Y = posts
    model = LapSVMClassifier().fit(X, Y)
    assert model.multilabel_ and model.classes_.tolist() == [0, 1, 2] and model.result_["labelled"] == 40
    for decided in (model.predict(X), model.transduction_):
        assert decided.shape == (240, 3) and decided.dtype == int and f1_score(truth, decided, average="macro") > 0.97
    proba = model.predict_proba(X)
    assert proba.shape == model.decision_function(X).shape == (240, 3) and ((0 < proba) & (proba < 1)).all()
    assert abs(proba.sum(axis=1) - truth.sum(axis=1)).mean() < 0.5
    assert model.score(X, truth) == (model.predict(X) == truth).all(axis=1).mean()
    known = (Y >= 0).all(axis=1)
    assert known.sum() == 38 and model.score(X, Y) == model.score(X[known], truth[known])
    low, high = model.expected_interval_
    assert 0 <= low <= model.expected_error_ <= high and model.verdict_ in ("helps", "harms", "cannot be told")
    may, sure = model.predict_set(X, 0.8), model.predict_set(X, 0.8, sure=True)
    assert may.shape == sure.shape == truth.shape and not (sure & ~may).any()
    assert may[truth == 1].mean() > 0.7 and (~sure)[truth == 0].mean() > 0.7 and 0.5 < (sure | ~may).mean()
    assert not model.fit(X, Y[:, 0]).multilabel_ and model.predict(X).shape == (240,)
    model.predict_set(X, 0.5)
    with pytest.raises(ValueError, match="several classes: leave it out"):
        model.predict_set(X, 0.5, sure=True)


def test_matrices_in_every_form_are_one(posts):
    X, _, Y = posts
    reference = LapSVMClassifier(**GIVEN).fit(X, Y)
    nan = np.where(Y < 0, np.nan, Y)
    spellings = {
        "NaN": nan,
        "None": [[None if v < 0 else bool(v) for v in row] for row in Y],
        "masked": np.ma.masked_array(np.abs(Y), Y < 0),
        "nullable": pandas.DataFrame(nan).astype("Int64"),
        "sparse": sparse.csr_matrix(Y),
    }
    for name, spelt in spellings.items():
        model = LapSVMClassifier(**GIVEN).fit(X, spelt)
        np.testing.assert_array_equal(model.predict_proba(X), reference.predict_proba(X), err_msg=name)
        np.testing.assert_array_equal(model.classes_, [0, 1, 2])
    swapped = LapSVMClassifier(**GIVEN).fit(X, pandas.DataFrame(nan[:, [2, 0, 1]], columns=[10, "9", NAMES[1]]))
    np.testing.assert_array_equal(swapped.predict(X), reference.predict(X)[:, [2, 0, 1]])
    np.testing.assert_allclose(swapped.transduction_, reference.transduction_[:, [2, 0, 1]])


def test_machines_are_those_of_each_class_alone(posts):
    """What is not known of a row is left out of the class's machine alone."""
    X, _, Y = posts
    model = LapSVMClassifier(precision=64, solver="deformed", **GIVEN).fit(X, Y)
    for k in range(3):
        alone = LapSVMClassifier(precision=64, solver="deformed", **GIVEN).fit(X, Y[:, k])
        np.testing.assert_allclose(model.decision_function(X)[:, k], alone.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("other", [{}, {"proba": False}, {"kernel": "linear", "sigma": None}], ids=str)
def test_program_and_numpy_agree(other, posts, program, tmp_path):
    X, _, Y = posts
    model = LapSVMClassifier(precision=64, threads=1, **{**GIVEN, **other}).fit(X, pandas.DataFrame(Y, columns=["sport", "law", "None"]))
    loaded = lapsvm.load(model.model_)
    assert loaded.several and loaded.classes_ == ["None", "law", "sport"]
    model.save(tmp_path / "m.lapsvm")
    np.savez(tmp_path / "x.npz", X=X)
    proba = [] if "proba" in other else ["--proba"]
    subprocess.run([_command.binary(), "predict", tmp_path / "m.lapsvm", tmp_path / "x.npz", *proba, "-o", tmp_path / "o.csv", "--quiet"], check=True)
    out = pandas.read_csv(tmp_path / "o.csv", keep_default_na=False, float_precision="round_trip")
    decided = np.array([[name in label.split(";") for name in ("sport", "law", "None")] for label in out["label"]], int)
    np.testing.assert_array_equal(model.predict(X), decided)
    np.testing.assert_array_equal(loaded.predict(X)[:, ::-1], decided)
    if proba:
        np.testing.assert_array_equal(model.predict_proba(X), out[["proba_sport", "proba_law", "proba_None"]])
        np.testing.assert_allclose(loaded.predict_proba(X)[:, ::-1], model.predict_proba(X), atol=1e-12)
    else:
        assert not hasattr(model, "predict_proba")
        np.testing.assert_array_equal(decided, model.decision_function(X) > 0)
        with pytest.raises(ValueError, match="without probabilities"):
            loaded.predict_proba(X)


@pytest.mark.filterwarnings("ignore:some components")
def test_tables_folds_and_pickles(posts):
    X, truth, Y = posts
    table = pandas.DataFrame({"left": X[:, 0], "up": X[:, 1], "high": X[:, 2], "side": np.where(X[:, 0] < 1.5, "west", "east")})
    model = LapSVMClassifier(neighbours=6, gamma_a=1e-3).fit(table, pandas.DataFrame(Y, columns=NAMES))
    assert model.classes_.tolist() == NAMES and model.columns_["side"] == "category" and model.score(table, truth) > 0.9
    scores = cross_val_score(LapSVMClassifier(**GIVEN), X, Y, cv=LabelledKFold(3, shuffle=True, random_state=0), scoring="f1_macro", error_score="raise")
    assert scores.min() > 0.8
    tested = [test for _, test in LabelledKFold(3).split(X, Y)]
    assert sorted(np.concatenate(tested)) == np.flatnonzero((Y >= 0).all(axis=1)).tolist()
    assert max(Y[test, 2].sum() for test in tested) - min(Y[test, 2].sum() for test in tested) <= 1
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(table), model.predict(table))
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("change, message", [
    (lambda Y: np.where(Y == 1, 2, Y), "y has 2 in row 1, column 1: .* 1 where a row has the class"),
    (lambda Y: [["sport", "law"]] * len(Y), "y has 'sport' in row 1, column 1: .*MultiLabelBinarizer"),
    (lambda Y: [["sport", "law"], ["law"]] * (len(Y) // 2), "y has lists of classes: .*MultiLabelBinarizer"),
        (lambda Y: pandas.Series([["sport", "law"], ["law"]] * (len(Y) // 2)), "y has lists of classes"),
    (lambda Y: np.full(Y.shape, np.nan), "no labelled row has the class 0 .n_samples = 240, 0 labelled."),
    (lambda Y: Y[:, :2] * [0, 1], "no labelled row has the class 0 .*write 1 for one that does"),
    (lambda Y: np.where(Y == 0, -1, Y), "no labelled row lacks the class 0 .*write 0 for one that does"),
    (lambda Y: Y[:35], "inconsistent numbers of samples"),
], ids=["two", "lists", "ragged", "series", "nothing", "none", "all", "rows"])
def test_matrices_that_are_none(change, message, posts):
    X, _, Y = posts
    with pytest.raises(ValueError, match=message):
        LapSVMClassifier(**GIVEN).fit(X, change(np.maximum(Y, 0) if "column 1" in message else Y))


def test_costs_are_of_rows_with_one_class(posts):
    X, _, Y = posts
    for name, value in (("prior", "balanced"), ("class_weight", {0: 2.0})):
        with pytest.raises(ValueError, match=f"{name}.* rows of one class each"):
            LapSVMClassifier(**GIVEN, **{name: value}).fit(X, Y)
