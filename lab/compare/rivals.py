# The usual rivals, by scikit-learn. Reads a line of JSON with the labelled rows and their
# classes, and answers with a line of the classes of all rows. It never sees another
# label. Parameters are chosen by cross-validation on the labels where every class has
# two, else they are the library's defaults.
import json
import signal
import sys
import time
import warnings

try:
    import numpy as np
    import scipy.sparse
    import sklearn
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics.pairwise import rbf_kernel
    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.semi_supervised import LabelSpreading
    from sklearn.svm import SVC
except ImportError as error:
    print(json.dumps({"absent": str(error)}), flush=True)
    sys.exit(0)

NEIGHBOURS = 10


def read(path):
    """The points of a file, dense or CSR."""
    with np.load(path) as arrays:
        if "X" in arrays:
            return arrays["X"]
    return scipy.sparse.load_npz(path)


def z_scores(x):
    return StandardScaler(with_mean=not scipy.sparse.issparse(x))


def chosen(classifier, grid, x, rows, y, seed):
    """The classifier with parameters and scaling by cross-validation."""
    steps = Pipeline([("scale", z_scores(x)), ("classifier", classifier)])
    folds = min(5, np.bincount(y)[np.unique(y)].min())
    if folds >= 2:
        choices = {"classifier__" + name: values for name, values in grid.items()}
        choices["scale"] = [z_scores(x), "passthrough"]
        cv = StratifiedKFold(folds, shuffle=True, random_state=seed % 2**32)
        steps = GridSearchCV(steps, choices, cv=cv)
    return steps.fit(x[rows], y).predict(x)


def svc(x, rows, y, seed):
    columns = x.shape[1]
    grid = {"C": [1, 10, 100], "gamma": ["scale", 0.1 / columns, 10 / columns]}
    return chosen(SVC(), grid, x, rows, y, seed)


def logistic(x, rows, y, seed):
    return chosen(LogisticRegression(), {"C": [0.01, 1, 100]}, x, rows, y, seed)


def knn(x, rows, y, seed):
    one = KNeighborsClassifier(1)
    most = len(y) - -(-len(y) // 2)  # rows that every fold trains on at least
    return chosen(one, {"n_neighbors": [k for k in (1, 3, 5) if k <= most]}, x, rows, y, seed)


def spreading(kernel, scale):
    def predict(x, rows, y, seed):
        if scale:
            x = z_scores(x).fit_transform(x)
        near = NearestNeighbors(n_neighbors=min(NEIGHBOURS, x.shape[0] - 1)).fit(x)
        if kernel == "knn":
            affinity = near.kneighbors_graph(x)
        else:  # the width is the mean distance to the neighbours
            width = max(near.kneighbors()[0].mean(), 1e-12)
            affinity = rbf_kernel(x, gamma=1 / (2 * width**2))
        classes = np.full(x.shape[0], -1)
        classes[rows] = y
        # The class takes dense points alone, so it gets their numbers and the affinities.
        numbers = np.arange(x.shape[0])[:, np.newaxis]
        return LabelSpreading(kernel=lambda *_: affinity, max_iter=200).fit(numbers, classes).transduction_

    return predict


METHODS = {
    "svc": svc,
    "logistic": logistic,
    "knn": knn,
    "spreading-knn": spreading("knn", False),
    "spreading-knn-z": spreading("knn", True),
    "spreading-rbf": spreading("rbf", False),
    "spreading-rbf-z": spreading("rbf", True),
}


def answer(asked, points):
    if asked["points"] not in points:
        points.clear()
        points[asked["points"]] = read(asked["points"])
    x, rows, y = points[asked["points"]], np.array(asked["labelled"]), np.array(asked["class"])
    start = time.perf_counter()
    predicted = METHODS[asked["method"]](x, rows, y, asked["seed"])
    return {"class": predicted.tolist(), "seconds": time.perf_counter() - start}


def main():
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asks ends this process too
    print(json.dumps({"version": "scikit-learn " + sklearn.__version__}), flush=True)
    points = {}
    for line in sys.stdin:
        try:
            reply = answer(json.loads(line), points)
        except Exception as error:  # a rival that fails is a gap in the table
            reply = {"gap": "%s: %s" % (type(error).__name__, str(error).split("\n")[0])}
        print(json.dumps(reply), flush=True)


main()
