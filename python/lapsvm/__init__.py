"""Laplacian support vector machines: classifiers from many points of which few are labelled."""

from ._classifier import LapSVMClassifier
from ._folds import LabelledKFold
from ._model import Model, load

LabeledKFold = LabelledKFold  # in another spelling

__all__ = ["LabeledKFold", "LabelledKFold", "LapSVMClassifier", "Model", "load"]
__version__ = "0.1.0"
