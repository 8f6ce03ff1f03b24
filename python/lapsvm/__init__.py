"""Laplacian support vector machines: classifiers and regressions from many points of which few are labelled."""

from . import errors
from ._classifier import LapSVMClassifier
from ._folds import LabelledKFold
from ._model import Model, load
from ._regressor import LapSVMRegressor

LabeledKFold = LabelledKFold  # in another spelling

__all__ = ["LabeledKFold", "LabelledKFold", "LapSVMClassifier", "LapSVMRegressor", "Model", "errors", "load"]
__version__ = "0.1.0"
