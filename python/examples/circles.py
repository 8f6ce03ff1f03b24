"""Two circles, of which one point each has a label: classes are where the points are dense.

After scikit-learn's example of label propagation on a complex structure.
"""

import numpy as np
from sklearn.datasets import make_circles
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from lapsvm import LapSVMClassifier


def errors():
    """Returns the share of wrong classes among the points without a label, by model."""
    X, circle = make_circles(200, shuffle=False, factor=0.5, noise=0.02, random_state=0)
    y = np.full(200, -1)
    y[0], y[-1] = circle[0], circle[-1]
    models = {
        "SVC, labelled alone": SVC().fit(X[y >= 0], y[y >= 0]),
        "LabelSpreading": LabelSpreading(kernel="knn", alpha=0.8).fit(X, y),
        "LapSVMClassifier": LapSVMClassifier().fit(X, y),
    }
    return {name: (model.predict(X) != circle)[y < 0].mean() for name, model in models.items()}


if __name__ == "__main__":
    for name, error in errors().items():
        print(f"{name:22}{100 * error:5.1f} %")
