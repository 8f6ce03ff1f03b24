"""Texts about four matters, of which a twentieth has a label, as counts of words.

After scikit-learn's example of semi-supervised classification on a text dataset; the texts are
made here: words of a matter among words of all of them.
"""

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from lapsvm import LapSVMClassifier

MATTERS = ("ships", "plants", "engines", "music")


def texts(count=600, seed=0):
    """Returns texts and the matters that they are about."""
    random = np.random.RandomState(seed)
    common = 1 / np.arange(1, 301)
    about, lines = random.choice(MATTERS, count), []
    for matter in about:
        own = [f"{matter}{k}" for k in random.choice(120, random.poisson(6))]
        other = [f"word{k}" for k in random.choice(300, random.poisson(25), p=common / common.sum())]
        strange = [f"{random.choice(MATTERS)}{k}" for k in random.choice(120, random.poisson(3))]
        lines.append(" ".join(own + other + strange))
    return np.array(lines), about


def errors():
    """Returns the share of wrong matters of the texts without a label, by model."""
    lines, about = texts()
    known = np.random.RandomState(1).rand(len(about)) < 0.05
    y = np.where(known, np.searchsorted(sorted(MATTERS), about), -1)
    classifiers = {
        "SGD, labelled alone": SGDClassifier(loss="log_loss", random_state=0),
        "self-trained SGD": SelfTrainingClassifier(SGDClassifier(loss="log_loss", random_state=0)),
        "LabelSpreading": make_pipeline(FunctionTransformer(lambda X: X.toarray(), accept_sparse=True), LabelSpreading()),
        "LapSVMClassifier": LapSVMClassifier(),
    }
    shares = {}
    for name, classifier in classifiers.items():
        rows = known if name.endswith("alone") else slice(None)
        model = make_pipeline(CountVectorizer(), TfidfTransformer(), classifier).fit(lines[rows], y[rows])
        shares[name] = (np.array(sorted(MATTERS))[model.predict(lines)] != about)[~known].mean()
    return shares


if __name__ == "__main__":
    for name, error in errors().items():
        print(f"{name:22}{100 * error:5.1f} %")
