"""Parameters in the words of scikit-learn and in American spelling."""

import inspect
import math
import typing

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import lapsvm
from lapsvm import LabeledKFold, LabelledKFold, LapSVMClassifier, _parameters


@pytest.mark.parametrize("other, same", [
    ({"kernel": "rbf", "gamma": 4.0}, {"kernel": "gaussian", "sigma": 1 / math.sqrt(8)}),
    ({"gamma": 4}, {"sigma": 1 / math.sqrt(8)}),
    ({"kernel": "laplacian", "gamma": 0.5}, {"kernel": "laplacian", "sigma": 2}),
    ({"kernel": "polynomial", "gamma": 0.5}, {"kernel": "poly", "gamma": 0.5}),
    ({"loss": "huberized-hinge", "sigma": 0.35}, {"loss": "huberised-hinge", "sigma": 0.35}),
    ({"loss": "squared_hinge", "sigma": 0.35}, {"loss": "squared-hinge", "sigma": 0.35}),
    ({"laplacian": "unnormalized", "sigma": 0.35}, {"laplacian": "unnormalised", "sigma": 0.35}),
    ({"prior": "labeled", "sigma": 0.35}, {"prior": "labelled", "sigma": 0.35}),
    ({"standardize": "zscore", "neighbors": 5, "unlabeled": 7}, {"standardise": "zscore", "neighbours": 5, "unlabelled": 7}),
], ids=str)
def test_two_spellings_are_one_training(other, same, moons):
    X, _, y = moons
    y = np.where(y < 0, same.get("unlabelled", -1), y)
    given = {"gamma_a": 0.01, "gamma_i": 1, "laplacian_degree": 1, **({} if "neighbors" in other else {"neighbours": 6, "standardise": "none"})}
    first, second = (LapSVMClassifier(**given, **parameters).fit(X, y) for parameters in (other, same))
    np.testing.assert_array_equal(first.decision_function(X), second.decision_function(X))
    assert clone(first).get_params() == first.get_params() and all(first.get_params()[name] == value for name, value in other.items())


def test_gamma_is_that_of_scikit_learn(moons):
    """The model's kernel is sklearn's rbf_kernel by the same gamma."""
    from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
    X, _, y = moons
    for name, function in (("rbf", rbf_kernel), ("laplacian", laplacian_kernel)):
        model = LapSVMClassifier(kernel=name, gamma=3.0, gamma_a=0.01, gamma_i=1, neighbours=6, standardise="none").fit(X, y)._load()
        values, _ = model._kernel(X)
        np.testing.assert_allclose(values, function(X, model.basis, gamma=3.0), atol=1e-12)


@pytest.mark.parametrize("parameters, message", [
    ({"neighbors": 5, "neighbours": 6}, "neighbors is neighbours in another spelling: give one of the two"),
    ({"unlabeled": 0, "unlabelled": 1}, "unlabeled is unlabelled in another spelling"),
    ({"gamma": 1, "sigma": 2}, "sigma and gamma are both the width of the gaussian kernel"),
    ({"kernel": "rbf", "gamma": "scale"}, "gamma must be a positive number, not 'scale': leave it out, and the width of the gaussian kernel is chosen"),
    ({"gamma": 0.0}, "gamma must be a positive number"),
    ({"kernel": "sigmoid"}, "kernel takes gaussian"),
], ids=str)
def test_what_says_two_things_is_refused(parameters, message, moons):
    with pytest.raises(ValueError, match=message):
        LapSVMClassifier(**parameters).fit(moons[0], moons[2])


def test_other_spellings_are_searched(moons):
    X, _, y = moons
    search = GridSearchCV(LapSVMClassifier(gamma_a=0.01, gamma_i=1, sigma=0.35), {"neighbors": [5, 6]}, cv=LabeledKFold(2, unlabeled=-1), error_score="raise")
    assert search.fit(X, y).best_params_["neighbors"] in (5, 6)
    assert LabeledKFold is LabelledKFold
    for name, first in _parameters.SPELLINGS.items():
        assert inspect.signature(LapSVMClassifier).parameters[name].default is None and first in LapSVMClassifier().get_params()


def test_everything_public_has_types():
    """Type checkers know them by py.typed, which the wheel has (test_wheel.py)."""
    for name in lapsvm.__all__:
        thing = getattr(lapsvm, name)
        owners = [c for c in vars(thing).values() if inspect.isclass(c)] if inspect.ismodule(thing) else [thing]
        functions = [thing] if inspect.isfunction(thing) else [
            f for owner in owners for n, f in vars(owner).items() if inspect.isfunction(f) and (n == "__init__" or not n.startswith("_"))]
        assert functions
        for function in functions:
            signature = inspect.signature(function)
            assert signature.return_annotation is not signature.empty, function
            assert all(p.annotation is not p.empty for p in list(signature.parameters.values())[not inspect.isfunction(thing):]), function
            typing.get_type_hints(function)
