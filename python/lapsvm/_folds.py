"""Folds for cross-validation where few rows have a label."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from . import _labels


class LabelledKFold:
    """Folds of the rows with a label; those without are in every training part.

    It is a `cv` of scikit-learn's searches and scores. Trainings have all unlabelled rows, as
    the final one does, every scoring counts rows with a label alone, and folds have the shares
    of the classes. The folds of scikit-learn itself refuse NaN, and take -1 and None for a class. y may say "no label" in every way that LapSVMClassifier knows. Where y is a matrix of several classes, folds are of rows of
    which every class is known, and have the shares of the rarest class of each. Where labels are numbers with
    fractions, of a regression, -1 is a number too, and folds are parts of equal size.

    Parameters
    ----------
    n_splits : int
        Folds, at least 2 and at most as many as the largest class has labels.
    shuffle : bool
        Deal labels at random.
    random_state : int, RandomState or None
        Of shuffle.
    unlabelled, unlabeled : value of y that means no label, as of LapSVMClassifier
    """

    def __init__(self, n_splits: int = 5, *, shuffle: bool = False, random_state: int | np.random.RandomState | None = None,
                 unlabelled: Any = -1, unlabeled: Any = None) -> None:
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state
        self.unlabelled = unlabelled if unlabeled is None else unlabeled

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Returns the number of folds."""
        return self.n_splits

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yields the rows of every training and of its test. Raises ValueError for too few labels."""
        labelled, labels = _labels.folded(y, self.unlabelled)
        rows, every = np.flatnonzero(labelled), np.arange(len(labelled))
        if not len(rows):
            raise ValueError("y has no labels that folds could be made of: label rows of every class")
        kind = StratifiedKFold if _labels.are_classes(labels) else KFold
        folds = kind(self.n_splits, shuffle=self.shuffle, random_state=self.random_state)
        for _, test in folds.split(rows, labels):
            yield np.setdiff1d(every, rows[test]), rows[test]
