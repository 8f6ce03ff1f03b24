"""How sure a self-trained SVM must be before it takes a label of its own, and a model without that choice.

After scikit-learn's example of the threshold of self-training.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC
from sklearn.utils import shuffle

from lapsvm import LapSVMClassifier

THRESHOLDS = (0.5, 0.7, 0.9, 0.99)


def errors():
    """Returns the share of wrong classes in three folds, with 50 labels of those outside, by model."""
    X, truth = shuffle(*load_breast_cancer(return_X_y=True), random_state=42)
    y = np.where(np.arange(len(truth)) < 50, truth, -1)
    models = {f"self-trained SVC, {t}": SelfTrainingClassifier(SVC(probability=True, gamma=0.001, random_state=42), threshold=t) for t in THRESHOLDS}
    models["LapSVMClassifier"] = LapSVMClassifier()
    folds = list(StratifiedKFold(3).split(X, y))
    return {name: np.mean([(model.fit(X[train], y[train]).predict(X[test]) != truth[test]).mean() for train, test in folds])
            for name, model in models.items()}


if __name__ == "__main__":
    for name, error in errors().items():
        print(f"{name:24}{100 * error:5.1f} %")
