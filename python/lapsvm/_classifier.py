"""The classifier."""

import csv
import io
import json
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import validate_data  # scikit-learn 1.6 and later
except ImportError:
    def validate_data(estimator, X, **how):
        return estimator._validate_data(X, **how)

from . import _command, _files, _labels

ROOM = 64 << 20  # bytes of files beside the points
OWN = ("unlabelled", "proba", "verbose", "threads", "memory")  # parameters that are not always the flags of the same name


class LapSVMClassifier(ClassifierMixin, BaseEstimator):
    """Laplacian support vector machine: a classifier from many points of which few are labelled.

    Parameters that are None are chosen by held-out labels and by how well the predicted
    classes fit the graph of neighbours; a float or int is taken as it is. They are the
    flags of `lapsvm train`, and `lapsvm train --help-all` tells more of each.

    Parameters
    ----------
    kernel : {"gaussian", "laplacian", "poly", "linear", "precomputed"}
        exp(-|x-y|^2/2 sigma^2), exp(-|x-y|_1/sigma), (gamma <x,y> + coef0)^degree, <x,y>; with
        "precomputed" X is square in fit, and in predict has a column for each row of that.
    sigma, degree, coef0, gamma : numbers
        Parameters of the kernel.
    standardise : {"none", "unit-norm", "zscore", "minmax", "columns"}
        How columns are scaled; the model has the scaling.
    neighbours, metric, weights, heat, recall : the graph
        Neighbours of every point; "euclidean", "cosine" or "kernel"; "heat", "binary" or
        "distance"; width of the heat weights; share of neighbours found in large data.
    laplacian, laplacian_degree : the Laplacian
        "normalised" or "unnormalised", and its power.
    gamma_a, gamma_i : floats
        Weights of the ambient and the intrinsic norm; gamma_i=0 is a supervised machine.
    loss : {"squared-hinge", "squared", "hinge"}
    bias : {"on", "outside", "off"}
    class_weight : "balanced" or dict of class to weight
        Costs of errors.
    prior : "balanced", "labelled" or dict of class to share
        Class shares that predictions on the unlabelled rows follow.
    solver : {"pcg", "newton", "deformed", "dual", "landmarks"}
    landmarks, compact : int, bool
        Points that the kernel matrix of many points is made of; a model of these alone.
    stop, check_every, max_iter, tolerance : the goal condition of the solver
    precision : {32, 64}
        Bits of a stored kernel value.
    seed : int
        Of all random choices; the same seed gives the same result with any number of threads.
    time : float or str
        Most seconds for comparing machines, and again for the solver, or a time as "5m".
    memory : str
        Such as "8GB", or "40%" of what is free; None is 80 %, in processes of joblib shared by these.
    threads : int
        None is OMP_NUM_THREADS, which joblib sets for its processes, or all processors.
    unlabelled : value of y that means no label, beside None, NaN and empty text
        If the labels are -1 and 1 alone, -1 is a class.
    proba : bool
        Learn probabilities.
    verbose : int
        1 shows progress on standard error.

    Attributes
    ----------
    classes_ : ndarray of the classes, sorted
    transduction_ : ndarray of the class that the training decides for every row of X
    label_distributions_ : ndarray (n, classes) of the probabilities of that; with proba
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    n_iter_ : int, the solver's iterations
    result_ : dict, what `lapsvm train --json` prints: chosen parameters, times, memory
    model_ : bytes of the model file, which `lapsvm predict` and `lapsvm.load` read

    Source: Belkin, Niyogi, Sindhwani, "Manifold Regularization", JMLR 7, 2006; Melacci,
    Belkin, "Laplacian Support Vector Machines Trained in the Primal", JMLR 12, 2011.
    """

    def __init__(self, kernel=None, *, sigma=None, degree=None, coef0=None, gamma=None, standardise=None, neighbours=None, metric=None,
                 weights=None, heat=None, recall=None, laplacian=None, laplacian_degree=None, gamma_a=None, gamma_i=None, loss=None, bias=None,
                 class_weight=None, prior=None, solver=None, landmarks=None, compact=None, stop=None, check_every=None, max_iter=None,
                 tolerance=None, precision=None, seed=None, time=None, memory=None, threads=None, unlabelled=-1, proba=True, verbose=0):
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.coef0 = coef0
        self.gamma = gamma
        self.standardise = standardise
        self.neighbours = neighbours
        self.metric = metric
        self.weights = weights
        self.heat = heat
        self.recall = recall
        self.laplacian = laplacian
        self.laplacian_degree = laplacian_degree
        self.gamma_a = gamma_a
        self.gamma_i = gamma_i
        self.loss = loss
        self.bias = bias
        self.class_weight = class_weight
        self.prior = prior
        self.solver = solver
        self.landmarks = landmarks
        self.compact = compact
        self.stop = stop
        self.check_every = check_every
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.precision = precision
        self.seed = seed
        self.time = time
        self.memory = memory
        self.threads = threads
        self.unlabelled = unlabelled
        self.proba = proba
        self.verbose = verbose

    def fit(self, X, y):
        """Trains on the rows of X, of which those with a label in y are labelled.

        X is an array or sparse matrix (n, d) of finite numbers or a table of such; float32
        and bytes stay what they are. y has n labels, text or whole numbers. Raises ValueError
        for data and parameters that the program refuses, with what to do.
        """
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        X = self._points(X, reset=True)
        labelled, labels = _labels.split(y, self.unlabelled)
        check_consistent_length(X, labelled)
        classes, codes = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y has labels of {'one class' if len(classes) else 'no class'} (n_samples = {X.shape[0]}, {len(labels)} labelled; "
                             f"{self.unlabelled!r}, None, NaN and empty text are no labels): label rows of at least two classes, and of "
                             "cross-validation those of every fold, as LabelledKFold does")
        names = np.array(_labels.names(classes))
        text = np.zeros(X.shape[0], names.dtype)
        text[labelled] = names[codes]
        with _files.Files(3 * _files.size(X) + ROOM) as files:
            data, model, rows = files.path("data.npz"), files.path("model.lapsvm"), files.path("rows.npz")
            _files.write_points(data, X, text, self._names())
            flags = self._flags(classes, names, files)
            output = self._run(["train", data, "--format", "npz", "-o", model, "--transduction", rows, "--to", "npz", "--json", *flags], files)
            decided = _files.read_columns(rows)
            self.model_ = _files.read(model)
        self.result_ = json.loads(output)
        self.classes_ = classes
        self.n_iter_ = max(1, round(self.result_["iterations"]))
        scores, proba = self._by_class(decided)
        self.transduction_ = self._decide(scores)
        if proba is not None:
            self.label_distributions_ = proba
        elif hasattr(self, "label_distributions_"):
            del self.label_distributions_
        if "limit" in self.result_["status"]:
            warnings.warn(f"the solver stopped before it was done: {self.result_['status']}; raise max_iter or tolerance", ConvergenceWarning)
        return self

    def decision_function(self, X):
        """Returns decision values: (n,), positive for the second class, of two classes, else (n, classes)."""
        scores, _ = self._predict(X, "--scores")
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict(self, X):
        """Returns the class of every row."""
        scores, _ = self._predict(X, "--scores")
        return self._decide(scores)

    def _learns_proba(self):
        return self.proba

    @available_if(_learns_proba)
    def predict_proba(self, X):
        """Returns the probabilities (n, classes); the largest of a row is that of the predicted class."""
        check_is_fitted(self)
        if not hasattr(self, "label_distributions_"):
            raise ValueError("proba was False at the last fit: fit again")
        _, proba = self._predict(X, "--scores", "--proba")
        return proba

    @available_if(_learns_proba)
    def predict_log_proba(self, X):
        """Returns the logarithms of the probabilities."""
        return np.log(self.predict_proba(X))

    def score(self, X, y, sample_weight=None):
        """Returns the share of right labels among the rows that have one in y."""
        labelled, labels = _labels.split(y, self.unlabelled)
        if not labelled.any():
            raise ValueError("y has no labels to compare with")
        check_consistent_length(X, labelled)
        right = self.predict(X)[labelled] == labels
        return np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)[labelled])

    def save(self, path):
        """Writes the model file, which `lapsvm predict`, `lapsvm info` and `lapsvm.load` read."""
        check_is_fitted(self)
        Path(path).write_bytes(self.model_)

    def _names(self):
        """Returns the names of the columns of fit for the model, None where they do not name them."""
        names = np.asarray(getattr(self, "feature_names_in_", []), str)
        return names if names.size and len(set(names)) == names.size and all(map(str.isprintable, names)) and all(names) else None

    def _points(self, X, reset):
        try:
            return validate_data(self, X, reset=reset, accept_sparse="csr", dtype=(np.float64, np.float32, np.uint8))
        except (TypeError, ValueError) as error:
            others = [f"{name!r} ({kind})" for name, kind in zip(X.columns, X.dtypes) if getattr(kind, "kind", "O") not in "biuf"] if hasattr(X, "dtypes") else []
            if not others or isinstance(error, ValueError) and "convert" not in str(error):
                raise
            raise ValueError(f"the table has columns that are no numbers, {', '.join(others)}: encode them first, words with OneHotEncoder in a ColumnTransformer "
                             "and dates as numbers, or train with lapsvm train, which encodes them itself") from error

    def _predict(self, X, *wanted):
        """Returns decision values and probabilities, None where not wanted, by the order of classes_."""
        check_is_fitted(self)
        X = self._points(X, reset=False)
        with _files.Files(_files.size(X) + len(self.model_) + ROOM) as files:
            model, data, out = files.path("model.lapsvm"), files.path("data.npz"), files.path("out.npz")
            _files.write(model, self.model_)
            _files.write_points(data, X)
            limits = _command.limits(self.threads, self.memory)
            self._run(["predict", model, data, "--format", "npz", "-o", out, "--to", "npz", *wanted, *limits], files)
            return self._by_class(_files.read_columns(out))

    def _run(self, arguments, files):
        return _command.run(arguments, files, self.get_params(deep=False), self.verbose)

    def _by_class(self, columns):
        """Returns decision values and probabilities of columns of a file of results.

        They are in the order of the program's classes there, which is another than that of
        classes_ where text is a number, and a label before them.
        """
        classes = len(self.classes_)
        machines = 1 if classes == 2 else classes
        scores = np.column_stack(columns[1:1 + machines])
        if classes == 2:
            scores = np.hstack([-scores, scores])
        proba = np.column_stack(columns[1 + machines:]) if len(columns) > 1 + machines else None
        place = {name: k for k, name in enumerate(self.result_["classes"])}
        order = [place[name] for name in _labels.names(self.classes_)]
        return scores[:, order], None if proba is None else proba[:, order]

    def _decide(self, scores):
        return self.classes_[scores.argmax(axis=1)]

    def _flags(self, classes, names, files):
        """Returns the flags for the parameters, and for what the classes are called."""
        flags = ["--label-values=" + _listed(names), "--proba", "on" if self.proba else "off", *_command.limits(self.threads, self.memory)]
        for name, value in self.get_params(deep=False).items():
            if value is None or name in OWN:
                continue
            if isinstance(value, dict):
                value = _by_name(name, value, dict(zip(classes.tolist(), names)))
                if name == "class_weight":
                    path = files.path("weights.tsv")
                    _files.write(path, "".join(f"{c}\t{v!r}\n" for c, v in value.items()).encode())
                    value = path
                else:
                    value = _listed(f"{c}={v!r}" for c, v in value.items())
            elif name == "compact":
                value = str(bool(value)).lower()
            elif name == "time" and not isinstance(value, str):
                value = f"{value}s"
            flags.append(f"--{name.replace('_', '-')}={value}")
        return flags

    def __sklearn_tags__(self):  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _more_tags(self):  # scikit-learn before 1.6
        return {"pairwise": self.kernel == "precomputed"}


def _by_name(parameter, values, names):
    """Returns values by the names of classes.

    Classes that y has no labels of are left out, as some are in folds of few labels; but where
    a class has no value, such a one is an error.
    """
    unknown, missing = [c for c in values if c not in names], [c for c in names if c not in values]
    if unknown and missing:
        raise ValueError(f"{parameter} names {unknown[0]!r}, which y has no label of, and not {missing[0]!r}: name the classes as y does")
    return {names[c]: float(v) for c, v in values.items() if c in names}


def _listed(words):
    """Returns words as a flag takes a list of them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(words)
    return line.getvalue()
