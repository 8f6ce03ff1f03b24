"""Digits of which few have a label, and active learning: the five least certain are labelled next.

After scikit-learn's examples of label propagation on digits.
"""

import numpy as np
from scipy.stats import entropy
from sklearn.datasets import load_digits
from sklearn.semi_supervised import LabelSpreading

from lapsvm import LapSVMClassifier

MODELS = {"LabelSpreading": LabelSpreading(gamma=0.25, max_iter=20), "LapSVMClassifier": LapSVMClassifier()}


def drawn(seed):
    digits = load_digits()
    rows = np.random.RandomState(seed).permutation(len(digits.data))[:340]
    return digits.data[rows], digits.target[rows]


def errors(model, rounds=5, draws=4):
    """Returns the share of wrong digits among those without a label, with 40 labels and after every round of five more. It is the mean over draws."""
    return np.mean([errors_of_draw(model, rounds, 2 + draw) for draw in range(draws)], axis=0)


def errors_of_draw(model, rounds, seed):
    X, truth = drawn(seed)
    y = np.where(np.arange(len(truth)) < 40, truth, -1)
    shares = []
    for _ in range(rounds):
        model.fit(X, y)
        shares.append((model.transduction_ != truth)[y < 0].mean())
        doubt = np.where(y < 0, entropy(model.label_distributions_.T), -1)
        ask = np.argsort(doubt)[-5:]
        y[ask] = truth[ask]
    return shares


if __name__ == "__main__":
    for name, model in MODELS.items():
        print(f"{name:18}", *(f"{100 * share:5.1f} %" for share in errors(model)))
