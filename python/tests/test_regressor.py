"""LapSVMRegressor: what scikit-learn asks of a regressor, and numbers, intervals and files as the program has them."""

import pickle
import subprocess

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

import lapsvm
from lapsvm import LabelledKFold, LapSVMRegressor, _command

GIVEN = {"sigma": 0.5, "neighbours": 6, "laplacian_degree": 2, "gamma_a": 1e-3, "gamma_i": 1e-2, "standardise": "none"}


@pytest.fixture(scope="module")
def circle():
    """Returns 300 points near a circle, the sine of three times their angle from -6 to -4, and 40 of these with noise."""
    rng = np.random.default_rng(3)
    angle = rng.uniform(0, 2 * np.pi, 300)
    X = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.02 * rng.normal(size=(300, 2))
    truth = np.sin(3 * angle) - 5
    y = np.where(np.arange(300) < 40, truth + 0.1 * rng.normal(size=300), np.nan)
    return X, truth, y


@pytest.mark.filterwarnings("ignore")
def test_all_checks_of_scikit_learn():
    check_estimator(LapSVMRegressor(gamma_a=0.01, gamma_i=0.01, neighbours=6, laplacian_degree=1, standardise="none"))


def test_what_is_chosen_is_near_the_truth(circle):
    X, truth, y = circle
    model = LapSVMRegressor().fit(X, y)
    assert r2_score(truth, model.predict(X)) > 0.9 and r2_score(truth, model.transduction_) > 0.9
    assert model.score(X, truth) == r2_score(truth, model.predict(X))
    known = ~np.isnan(y)
    assert model.score(X, y) == r2_score(y[known], model.predict(X)[known])
    low, high = model.expected_interval_
    assert 0 <= low <= model.expected_error_ <= high and model.expected_error_ < 0.5
    assert model.verdict_ in ("helps", "harms", "cannot be told")
    given = LapSVMRegressor(**GIVEN).fit(X, y)
    assert (given.expected_error_, given.expected_interval_, given.verdict_) == (None, None, None)
    assert not hasattr(given, "decision_function") and not hasattr(given, "predict_proba")


def test_what_is_no_number(circle):
    X, _, y = circle
    reference = LapSVMRegressor(**GIVEN).fit(X, y)
    assert (reference.result_["labelled"], reference.result_["unlabelled"]) == (40, 260)
    spellings = {
        "None": [None if v != v else v for v in y],
        "text": ["" if v != v else repr(float(v)) for v in y],
        "nullable": pandas.Series(y).astype("Float64"),
        "masked": np.ma.masked_array(np.nan_to_num(y), np.isnan(y)),
    }
    for name, spelt in spellings.items():
        np.testing.assert_array_equal(LapSVMRegressor(**GIVEN).fit(X, spelt).predict(X), reference.predict(X), err_msg=name)
    ones = np.where(np.isnan(y), np.nan, np.where(y < -5, -1, 1))
    assert LapSVMRegressor(**GIVEN).fit(X, ones).result_["labelled"] == 40  # -1 is a number
    for labels, said in ((["dog"] + [1.5] * 299, "no number"), (np.full(300, np.nan), "no number .*n_samples = 300"), (np.ones(300), "one number"), (np.where(np.isnan(y), np.inf, y), "infinity")):
        with pytest.raises(ValueError, match=said):
            LapSVMRegressor(**GIVEN).fit(X, labels)


def test_numbers_and_intervals_are_those_of_the_command(circle, program, tmp_path):
    X, _, y = circle
    model = LapSVMRegressor(precision=64, threads=1, **GIVEN).fit(X, y)
    model.save(tmp_path / "m.lapsvm")
    np.savez(tmp_path / "x.npz", X=X)
    subprocess.run([_command.binary(), "predict", tmp_path / "m.lapsvm", tmp_path / "x.npz", "--interval", "0.8", "-o", tmp_path / "o.csv", "--quiet"], check=True)
    out = pandas.read_csv(tmp_path / "o.csv", float_precision="round_trip")
    np.testing.assert_array_equal(model.predict(X), out["value"])
    np.testing.assert_array_equal(model.predict_interval(X, 0.8), out[["low", "high"]])
    np.testing.assert_allclose(model.transduction_, out["value"], atol=1e-6)


@pytest.mark.parametrize("other", [{}, {"loss": "huber"}, {"gamma_i": 0}, {"kernel": "linear", "sigma": None}, {"solver": "landmarks", "landmarks": 50}, {"solver": "pcg"}], ids=str)
def test_intervals_in_numpy(other, circle, request):
    """The loader has the program's values and intervals."""
    X, _, y = circle
    parameters = {**GIVEN, "precision": 64, **other}
    if parameters["gamma_i"] == 0:
        del parameters["neighbours"], parameters["laplacian_degree"]
    model = LapSVMRegressor(**parameters).fit(X, y)
    loaded = lapsvm.load(model.model_)
    assert loaded.regression and loaded.classes_ == []
    values, interval = loaded.predict(X), loaded.predict_interval(X, 0.8)
    assert (interval[:, 0] <= interval[:, 1]).all()
    request.getfixturevalue("program")
    np.testing.assert_allclose(values, model.predict(X), atol=1e-9)
    np.testing.assert_allclose(interval, model.predict_interval(X, 0.8), atol=1e-9)


def test_intervals(circle):
    X, truth, y = circle
    model = LapSVMRegressor(**GIVEN).fit(X, y)
    narrow, wide = model.predict_interval(X, 0.5), model.predict_interval(X)
    assert (wide[:, 0] <= narrow[:, 0]).all() and (narrow[:, 1] <= wide[:, 1]).all()
    noisy = truth + 0.1 * np.random.default_rng(5).normal(size=300)
    assert 0.8 < ((wide[:, 0] <= noisy) & (noisy <= wide[:, 1])).mean() < 0.99
    for level, said in ((1.0, "between 0 and 1"), (0, "between 0 and 1"), (0.99, "40 labels .* at most 0.97")):
        with pytest.raises(ValueError, match=said):
            model.predict_interval(X, level)
    with pytest.raises(ValueError, match="keeps nothing for intervals"):
        LapSVMRegressor(intervals=False, **GIVEN).fit(X, y).predict_interval(X)
    with pytest.raises(ValueError, match="keeps nothing for intervals"):
        lapsvm.load(LapSVMRegressor(intervals=False, **GIVEN).fit(X, y).model_).predict_interval(X)


def test_tables_edges_and_sparse_matrices(circle):
    X, truth, y = circle
    table = pandas.DataFrame({"left": X[:, 0], "up": X[:, 1], "side": np.where(X[:, 0] < 0, "west", "east")})
    model = LapSVMRegressor(neighbours=6, gamma_a=1e-3).fit(table, y)
    assert model.columns_ == {"left": "number", "side": "category", "up": "number"}
    assert model.score(table, truth) > 0.8
    assert model.predict_interval(table).shape == (300, 2)
    np.testing.assert_allclose(LapSVMRegressor(**GIVEN).fit(sparse.csr_matrix(X), y).predict(sparse.csr_matrix(X)), LapSVMRegressor(**GIVEN).fit(X, y).predict(X), atol=1e-5)
    order = np.argsort(np.arctan2(X[:, 1], X[:, 0]))
    W = sparse.coo_matrix((np.ones(300), (order, np.roll(order, 1))), shape=(300, 300))
    given = LapSVMRegressor(neighbours=0, gamma_a=1e-6, gamma_i=1e-2, laplacian_degree=2, sigma=0.05, standardise="none").fit(X, y, edges=W)
    assert r2_score(truth, given.transduction_) > 0.9
    alone, joined, moved = given.predict(X[:2]), given.transduction_[5:7], given.predict(X[:2], edges=sparse.identity(300, format="csr")[5:7])
    share = (moved - joined) / (alone - joined)  # of the features, the same of rows with as many edges
    assert 0 < share[0] < 0.5
    np.testing.assert_allclose(share[0], share[1], rtol=1e-3)
    with pytest.raises(ValueError, match="trained without edges"):
        model.predict(table[:2], edges=np.ones((2, 300)))


def test_folds_searches_and_pickles(circle):
    X, truth, y = circle
    for scoring in (None, "r2", "neg_root_mean_squared_error"):
        scores = cross_val_score(LapSVMRegressor(**GIVEN), X, y, cv=LabelledKFold(4, shuffle=True, random_state=0), scoring=scoring, error_score="raise")
        assert scores.mean() > (0.8 if scoring != "neg_root_mean_squared_error" else -0.3)
    for train, test in LabelledKFold(4).split(X, np.where(np.arange(300) == 7, -1, y)):
        assert sorted([*train, *test]) == list(range(300)) and len(test) == 10  # -1 is a number among numbers with fractions
    search = GridSearchCV(LapSVMRegressor(**GIVEN), {"gamma_i": [1e-2, 100.0]}, cv=LabelledKFold(4), error_score="raise").fit(X, y)
    assert search.best_params_ == {"gamma_i": 1e-2}
    model = LapSVMRegressor(**GIVEN).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(model).get_params() == model.get_params()
