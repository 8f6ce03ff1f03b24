"""Irises by two of their measures, with a tenth, a third and all of the labels.

After scikit-learn's example of label spreading and self-training beside an SVM.
"""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

from lapsvm import LapSVMClassifier

MODELS = {
    "LabelSpreading": LabelSpreading(),
    "self-trained SVC": SelfTrainingClassifier(SVC(probability=True, gamma=0.5, random_state=0)),
    "LapSVMClassifier": LapSVMClassifier(),
}
SHARES = (0.1, 0.3, 1.0)


def data(share):
    """Returns the points, their classes, and labels of a share of them."""
    iris = load_iris()
    known = np.random.RandomState(0).rand(len(iris.target)) < share
    return iris.data[:, :2], iris.target, np.where(known, iris.target, -1)


def errors(model):
    """Returns the share of wrong classes of all points, by the share of labels."""
    return {share: (model.fit(X, y).predict(X) != truth).mean() for share in SHARES for X, truth, y in [data(share)]}


if __name__ == "__main__":
    print(" " * 18, *(f"{100 * share:5.0f} %" for share in SHARES))
    for name, model in MODELS.items():
        print(f"{name:18}", *(f"{100 * error:5.1f} %" for error in errors(model).values()))
