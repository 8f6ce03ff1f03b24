"""The classifier."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_consistent_length
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _labels
from ._estimator import Labels, LapSVM, listed
from ._model import Model
from ._points import Floats
from .errors import LacksError, NoLabelsError, OneClassError


class LapSVMClassifier(ClassifierMixin, LapSVM):
    """Laplacian support vector machine: a classifier from many points of which few are labelled.

    Rows have one class each, or any number of several: fit then takes a matrix of 1 and 0.

    Parameters that are None are chosen by held-out labels and by how well the predicted
    classes fit the graph of neighbours; a float or int is taken as it is. They are the
    flags of `lapsvm train`, and have the defaults of these where nothing is chosen.
    The same seed gives the same result with any number of threads.

    As in scikit-learn "rbf" is the kernel "gaussian", "polynomial" is "poly", and gamma may be given
    in place of sigma: it is 1/(2 sigma^2) for "gaussian" and 1/sigma for "laplacian". With
    kernel="precomputed" X is square in fit, and in predict has a column for each row of that.

    Parameters
    ----------
    kernel : {"gaussian", "poly", "linear", "laplacian", "precomputed", "distances"}
        gaussian exp(−‖x−y‖²/2σ²), poly (γ x·y + c)^D, linear x·y, laplacian exp(−‖x−y‖₁/σ),
        precomputed the values in DATA or distances exp(−d²/2σ²) of the distances d in DATA (default
        gaussian; linear for a table with text)
    distances : bool
        DATA are distances d between all points, a row and a column for each: the kernel is
        exp(−d²/2σ²), and neighbours are by them; short for the kernel distances
    sigma : float or "auto"
        σ of the kernel gaussian, laplacian or distances; auto, here and elsewhere, is chosen by
        held-out labels and the graph
    degree : int
        D of the kernel poly
    gamma : float
        γ of the kernel poly
    coef0 : float
        c of the kernel poly
    gamma_a : float or "auto"
        weight of the ambient norm
    gamma_i : float or "auto"
        weight of the intrinsic norm; 0 is a supervised machine
    neighbours : int or "auto"
        neighbours of every point in the graph; 0 takes the given edges alone (edges)
    edge_weight : float or "auto"
        weight of given edges (edges) beside those of neighbours, of which heat weights are at most
        1; given ones have the mean weight 1
    laplacian_degree : int or "auto"
        power of the Laplacian
    metric : {"auto", "euclidean", "cosine", "kernel", "distances", "self-tuning"}
        distance between neighbours: euclidean, cosine, self-tuning, in units of the distance to the
        7th neighbour, or of a square table kernel, that of kernel values, and distances, the values
        themselves; auto chooses between euclidean and self-tuning beside other parameters, and else
        is euclidean
    weights : {"heat", "binary", "distance"}
        edge weights: heat, binary or distance
    heat : float
        width t of the heat weights exp(−d²/2t²); 0 is the mean neighbour distance
    recall : float
        share of the nearest neighbours to be found where exact search takes long; 1 is exact
    laplacian : {"normalised", "unnormalised"}
        graph Laplacian: normalised or unnormalised
    loss : {"squared-hinge", "squared", "hinge", "huberised-hinge"}
        squared-hinge (LapSVM), squared (LapRLSC), hinge (the original LapSVM) or huberised-hinge
        (for wrong labels) (default squared-hinge; hinge with dual)
    bias : {"on", "outside", "off"}
        unregularised bias: on, outside (not part of the intrinsic norm) or off
    ordered : list of classes, or "auto"
        classes have an order, and errors count by their distance in ranks: the classes from the
        lowest to the highest, or auto where they are numbers
    criterion : {"f1", "wrong-answers"}
        where rows have several classes: as many of them as F1 wants, or those that make wrong
        answers few (default f1)
    describe : "auto", "none", "hog", "patches", "dots", "latent", "word-vectors", "numbers", "vectors", "rare-words", "factors", "half-whitened" or a list of these
        what pictures, texts and tables are described by, in place of their values, words and
        columns, stored in the model: none; of pictures hog, patches or dots; of the columns of a
        table with text latent, word-vectors, numbers or vectors, or latent:COLUMN of one text; of
        sparse rows without a table latent; of counts of words rare-words; of a table of numbers
        factors; of a table of numbers half-whitened; or several, separated by commas; auto chooses
        by held-out labels and the graph
    standardise : {"auto", "none", "unit-norm", "zscore", "minmax", "columns"}
        preprocessing, stored in the model: none, unit-norm, zscore, minmax, or columns, each by
        what it is; auto chooses by the columns and by held-out labels
    solver : {"auto", "pcg", "newton", "deformed", "dual", "landmarks"}
        auto, pcg, newton, deformed (exact for few labels, O(n³) once), dual (the original LapSVM)
        or landmarks (for many points: a kernel matrix made of a few)
    stop : {"auto", "stability", "validation", "mixed", "gradient", "preconditioned", "product", "objective", "none"}
        goal condition of pcg: auto, stability, validation, mixed, gradient, preconditioned,
        product, objective or none; auto stops when twice the iterations would change few decisions;
        stability, validation and mixed are the paper's (default auto)
    check_every : int
        iterations between checks of decisions; for auto those before the first check (default ½√n,
        for auto at least 16)
    max_iter : int
        iteration limit (default: n or 1000 for pcg, 100 for newton)
    tolerance : float
        threshold of the goal condition (default that of the condition: 0.015 for auto)
    prior : "balanced", "labelled" or dict by class
        class shares that predictions on the unlabelled rows follow: balanced, labelled or
        A=0.3,B=0.7 (default: none)
    class_weight : "balanced" or dict by class
        costs of errors by class: balanced, in inverse proportion to their numbers of labels, or a
        file with a line for each class, its name, a tab or comma and its weight (default: all
        equal)
    views : int
        most machines that the model is the mean of: each sees the rows by a description, a scaling
        or a kernel of its own, and 1 is one machine (default: by what the rows are)
    precision : {32, 64}
        bits of a stored Gram entry: 32 or 64. Sums have 64; with more than 2 classes the sums
        within a tile have 32
    most_points : int
        how many points take part, drawn by the seed, and all labelled ones; the rest are decided as
        new points (default all; of many points often a part, see the manual)
    landmarks : int
        points that the kernel matrix is made of with the solver landmarks, at most (default 500,
        200 where the choice finds that these serve, or as many as fit into memory)
    compact : bool
        with the solver landmarks: a model of landmarks alone, which keeps no other training points
        and can be exported; of new points it decides somewhat worse
    seed : int
        seed of all random choices: the points that parameters are chosen on, and the splits of
        evaluate
    time : float or str
        Most seconds for comparing machines, and again for the solver, or a time as "5m".
    memory : str
        Such as "8GB", or "40%" of what is free; None is 80 %, in processes of joblib shared by
        these.
    threads : int
        None is OMP_NUM_THREADS, which joblib sets for its processes, or all processors.
    unlabelled : value of y that means no label, beside None, NaN and empty text
        If the labels are -1 and 1 alone, -1 is a class.
    proba : bool
        Learn probabilities.
    verbose : int
        1 shows progress on standard error.
    report : bool
        Make a page of each fit, which report_ shows in a notebook; it takes a training of the
        supervised machine more.
    coordinates : names of columns
        Of a DataFrame: a latitude and its longitude in degrees, which become places on a sphere;
        then those of further places.
    text, category, ignore : name or names of columns
        Of a DataFrame: columns to take for texts, for categories, or not at all.
    word_vectors : path
        A file of vectors of words, as text of GloVe, word2vec or fastText; text columns of a
        DataFrame are then described by them too.
    embed, embed_with : path; text
        A network (ONNX) or a command that makes vectors of the columns of text, which then stand
        beside the other columns.
    embed_cache, onnxruntime : path
        A folder that keeps these vectors; the library that runs the network.
    image_shape : (height, width) or (height, width, 3)
        Rows of X are pictures: dots row by row from the top, of 3 red, green and blue next to each
        other. Then describe says what of. Without it the likeness of columns tells whether rows are
        pictures.
    standardize, neighbors
        Other spellings of standardise and neighbours.
    unlabeled
        Another spelling of unlabelled.

    Attributes
    ----------
    classes_ : ndarray of the classes, sorted; ordered ones from the lowest to the highest; of several classes at once the columns of y
    multilabel_ : whether y was a matrix of several classes
    transduction_ : ndarray of the class that the training decides for every row of X, or (n, classes) of 1 and 0
    label_distributions_ : ndarray (n, classes) of the probabilities of that; with proba
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    columns_ : dict of what each column of a table was taken for, "number", "boolean", "date",
        "time", "amount", "latitude", "longitude", "vector", "category", "text", "id" (of rows, no feature) or "dropped"; None for points
    n_iter_ : int, the solver's iterations
    expected_error_ : float from 0 to 1, the share of new rows like the labelled ones that is expected to be
        classified wrongly, or of several classes the share of the matrix, by labels that had no part in the
        choice of parameters; None where these were given, and with fewer than ten labels to tell it
    expected_interval_ : (float, float), the 95 % interval of that; None likewise
    verdict_ : whether the unlabelled rows help, by these labels: "helps", "harms" or "cannot be told"; None
        where no parameters were chosen, and for a supervised machine
    result_ : dict, what `lapsvm train --json` prints: chosen parameters, times, memory
    report_ : the page of the training, with report; the last line of a notebook's cell shows it, and report_.save(path) writes it
    model_ : bytes of the model file, which `lapsvm predict` and `lapsvm.load` read

    Source: Belkin, Niyogi, Sindhwani, "Manifold Regularization", JMLR 7, 2006; Melacci,
    Belkin, "Laplacian Support Vector Machines Trained in the Primal", JMLR 12, 2011.
    """

    multilabel_ = False  # of classifiers that were pickled before there were several classes

    def __init__(self, kernel: str | None = None, *, distances: bool | None = None, sigma: float | str | None = None, degree: int | None = None,
                 gamma: float | None = None, coef0: float | None = None, gamma_a: float | str | None = None, gamma_i: float | str | None = None,
                 neighbours: int | str | None = None, edge_weight: float | str | None = None, laplacian_degree: int | str | None = None,
                 metric: str | None = None, weights: str | None = None, heat: float | None = None, recall: float | None = None,
                 laplacian: str | None = None, loss: str | None = None, bias: str | None = None, ordered: str | Sequence[Any] | None = None,
                 criterion: str | None = None, describe: str | Sequence[str] | None = None, standardise: str | None = None,
                 solver: str | None = None, stop: str | None = None, check_every: int | None = None, max_iter: int | None = None,
                 tolerance: float | None = None, prior: str | Mapping[Any, float] | None = None,
                 class_weight: str | Mapping[Any, float] | None = None, views: int | None = None, precision: int | None = None,
                 most_points: int | None = None, landmarks: int | None = None, compact: bool | None = None, seed: int | None = None,
                 time: float | str | None = None, memory: str | None = None, threads: int | None = None, unlabelled: Any = -1, proba: bool = True,
                 verbose: int = 0, report: bool = False, coordinates: Sequence[str] | None = None, text: str | Sequence[str] | None = None,
                 category: str | Sequence[str] | None = None, ignore: str | Sequence[str] | None = None,
                 word_vectors: str | os.PathLike[str] | None = None, embed: str | os.PathLike[str] | None = None, embed_with: str | None = None,
                 embed_cache: str | os.PathLike[str] | None = None, onnxruntime: str | os.PathLike[str] | None = None,
                 image_shape: Sequence[int] | None = None, standardize: str | None = None, neighbors: int | str | None = None,
                 unlabeled: Any = None) -> None:
        self.kernel = kernel
        self.distances = distances
        self.sigma = sigma
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.gamma_a = gamma_a
        self.gamma_i = gamma_i
        self.neighbours = neighbours
        self.edge_weight = edge_weight
        self.laplacian_degree = laplacian_degree
        self.metric = metric
        self.weights = weights
        self.heat = heat
        self.recall = recall
        self.laplacian = laplacian
        self.loss = loss
        self.bias = bias
        self.ordered = ordered
        self.criterion = criterion
        self.describe = describe
        self.standardise = standardise
        self.solver = solver
        self.stop = stop
        self.check_every = check_every
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.prior = prior
        self.class_weight = class_weight
        self.views = views
        self.precision = precision
        self.most_points = most_points
        self.landmarks = landmarks
        self.compact = compact
        self.seed = seed
        self.time = time
        self.memory = memory
        self.threads = threads
        self.unlabelled = unlabelled
        self.proba = proba
        self.verbose = verbose
        self.report = report
        self.coordinates = coordinates
        self.text = text
        self.category = category
        self.ignore = ignore
        self.word_vectors = word_vectors
        self.embed = embed
        self.embed_with = embed_with
        self.embed_cache = embed_cache
        self.onnxruntime = onnxruntime
        self.image_shape = image_shape
        self.standardize = standardize
        self.neighbors = neighbors
        self.unlabeled = unlabeled

    def fit(self, X: Any, y: Labels, edges: Any = None) -> LapSVMClassifier:
        """Trains on the rows of X, of which those with a label in y are labelled.

        X is an array or sparse matrix (n, d) of finite numbers, of which float32 and bytes stay
        what they are, or a DataFrame. One that is not numbers alone, without gaps, is read as
        `lapsvm train` reads a table: words, dates and gaps become features. y has n labels, text or whole numbers. Raises ValueError
        for data and parameters that the program refuses, with what to do.

        Where rows may have several classes, or none, y is a matrix (n, classes): 1 where a row has the class, 0 where it has not, and
        -1, None or NaN where that is not known. A row of which nothing is known is unlabelled. The columns of a DataFrame name the classes.

        edges is a matrix (n, n), sparse or dense, with the weight of the edge from row i to row j. Each edge holds in both directions,
        and a negative weight says that two rows are not of one class. neighbours=0 takes them alone. X is None of rows without features.
        """
        parameters, X, table = self._resolved(), *self._taken(X, y)
        check_consistent_length(X, y)
        several = _labels.is_indicator(y)
        text, flags, names, classes = self._spelt(X, y, parameters, few=False)
        decided = self._train(X, table, text, parameters, edges, [*flags, "--proba", "on" if self.proba else "off"])
        if parameters["ordered"] is not None:
            classes = classes[[names.index(name) for name in self.result_["classes"]]]
        self.classes_, self.multilabel_ = classes, several
        scores, proba = self._by_class(*_answers(decided, self._load(), self.proba))
        self.transduction_ = self._decide(scores)
        if proba is not None:
            self.label_distributions_ = proba
        elif hasattr(self, "label_distributions_"):
            del self.label_distributions_
        choice = self.result_.get("choice") or {}
        self.verdict_ = choice.get("verdict")
        self.expected_error_, *interval = (choice[name] / 100 if "error" in choice else None for name in ("error", "error_low", "error_high"))
        self.expected_interval_ = tuple(interval) if "error" in choice else None
        return self

    def _spelt(self, X: Any, y: Any, parameters: dict[str, Any], few: bool) -> tuple[NDArray[np.str_], list[str], list[str], NDArray[Any]]:
        several = _labels.is_indicator(y)
        if several:
            classes, labelled, labels = _labels.listed(y)
            names, flags = _labels.names(classes, several), ["--multi-label=" + _labels.SEPARATOR]
        else:
            classes, labelled, labels, names = self._of_one_class(X, y, parameters, few)
            flags = ["--label-values=" + listed(names)] if names else []
        text = np.zeros(len(labelled), labels.dtype)
        text[labelled] = labels
        return text, flags, names, classes

    def _of_one_class(self, X: Any, y: Labels, parameters: dict[str, Any], few: bool) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.str_], list[str]]:
        """Returns the classes of labels, which rows are labelled, the names of their classes, and those of all. Parameters by class then go by these names."""
        labelled, labels = _labels.split(y, parameters["unlabelled"])
        classes, codes = np.unique(labels, return_inverse=True)
        if len(classes) < 2 and not few:
            raise (OneClassError if len(classes) else NoLabelsError)(
                f"y has labels of {'one class' if len(classes) else 'no class'} (n_samples = {X.shape[0]}, {len(labels)} labelled; "
                f"{parameters['unlabelled']!r}, None, NaN and empty text are no labels)",
                "label rows of at least two classes, and of cross-validation those of every fold, as LabelledKFold does")
        names = _labels.names(classes)
        if parameters["ordered"] is not None:
            names, parameters["ordered"] = _labels.ranked(classes, parameters["ordered"])
        for name in ("prior", "class_weight"):
            if isinstance(parameters[name], dict):
                parameters[name] = _by_name(name, parameters[name], dict(zip(classes.tolist(), names)))
        return classes, labelled, np.array(names, str)[codes] if names else np.array([], str), names

    def decision_function(self, X: Any, edges: Any = None) -> Floats:
        """Returns decision values: (n,), positive for the second class, of two classes, else (n, classes).

        edges is a matrix (n, rows of fit), sparse or dense, of the weights of edges from the rows to those of fit, which had edges too. X is None of rows
        without features.
        """
        scores, _ = self._predict(X, edges)
        return scores[:, 1] if len(self.classes_) == 2 and not self.multilabel_ else scores

    def predict(self, X: Any, edges: Any = None) -> NDArray[Any]:
        """Returns the class of every row, or of several classes a matrix (n, classes) of 1 and 0.

        Of several classes each has a threshold of at most 1/2, above which as many held-out rows are as are to be expected; by criterion="wrong-answers" it is 1/2.
        Without probabilities a row has the classes with a positive decision value. edges are as of decision_function.
        """
        scores, _ = self._predict(X, edges)
        return self._decide(scores)

    def predict_proba(self, X: Any, edges: Any = None) -> Floats:
        """Returns the probabilities (n, classes), of several classes each for itself, else the largest of a row is that of the predicted class, but of ordered classes their median is."""
        self._probable()
        _, proba = self._predict(X, edges, proba=True)
        assert proba is not None
        return proba

    def _probable(self) -> None:
        """Raises the errors of what has no probabilities."""
        check_is_fitted(self)
        if not hasattr(self, "label_distributions_"):
            raise LacksError("proba was False at the last fit", "fit again")

    def predict_log_proba(self, X: Any, edges: Any = None) -> Floats:
        """Returns the logarithms of the probabilities."""
        return np.asarray(np.log(self.predict_proba(X, edges)))

    def predict_set(self, X: Any, level: float = 0.9, *, sure: bool = False) -> NDArray[np.bool_]:
        """Returns which classes (n, classes) every row may belong to: they hold the right one with a probability of about level.

        The predicted class is one of them. A row that is far from all training rows has none. Of ordered classes a set has no gap. Where rows may have several classes, the matrix holds each class that a row has with
        that probability. With sure it then has only those that the row is told to have, wrongly with a probability of at most 1 - level. Raises
        ValueError for a level that the labels are too few for.
        """
        self._probable()
        if sure and not self.multilabel_:
            raise ValueError("sure is for rows that may have several classes: leave it out")
        output, _ = self._asked(self._rows(X), ["--set", repr(float(level))], columns=False)
        names = [self.result_["classes"][k] for k in self._order()]
        return np.array([[name in sets for name in names] for sets in json.loads(output)["sure" if sure else "sets"]])

    if not TYPE_CHECKING:  # which would lose the types
        predict_proba, predict_log_proba, predict_set = (available_if(lambda self: self.proba)(method) for method in (predict_proba, predict_log_proba, predict_set))

    def score(self, X: Any, y: Labels, sample_weight: ArrayLike | None = None) -> float:
        """Returns the share of right labels among the rows that have one in y, of several classes that of rows with all classes right."""
        labelled, labels = _labels.complete(y) if self.multilabel_ else _labels.split(y, self._resolved()["unlabelled"])
        if not self.multilabel_:
            labels = _labels.spelt(labels, self.classes_)
        if not labelled.any():
            raise ValueError("y has no labels to compare with")
        check_consistent_length(X, labelled)
        right = self.predict(X)[labelled] == labels
        if self.multilabel_:
            right = right.all(axis=1)
        return float(np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)[labelled]))

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {**super()._more_tags(), "multilabel": True}

    def _predict(self, X: Any, edges: Any = None, proba: bool = False) -> tuple[Floats, Floats | None]:
        """Returns decision values and, where wanted, probabilities, both (n, classes) by the order of classes_."""
        if edges is not None:
            scores = self._by_edges(X, edges, ["--scores"])
            return self._by_class(scores, self._load().probabilities(scores) if proba else None)
        X, model, quick = self._quick(X)
        if quick is not None:
            return self._by_class(quick, model.probabilities(quick) if proba else None)
        columns = self._ask(X, ["--scores", *(["--proba"] if proba else [])])
        return self._by_class(*_answers(columns, model, proba))

    def _by_class(self, scores: Floats, proba: Floats | None) -> tuple[Floats, Floats | None]:
        """Returns decision values of machines, and probabilities, by the order of classes_."""
        if scores.shape[1] == 1:
            scores = np.hstack([-scores, scores])
        order = self._order()
        return scores[:, order], None if proba is None else proba[:, order]

    def _order(self) -> list[int]:
        """Returns the place of each of classes_ among the program's, whose order is another where text is a number."""
        if self._load().ordered:
            return list(range(len(self.classes_)))
        place = {name: k for k, name in enumerate(self.result_["classes"])}
        return [place[name] for name in _labels.names(self.classes_, self.multilabel_)]

    def _decide(self, scores: Floats) -> NDArray[Any]:
        if self.multilabel_:
            return np.asarray(scores > self._load().limits[self._order()], int)
        return np.asarray(self.classes_[self._load().decided(scores)])


def _by_name(parameter: str, values: Mapping[Any, float], names: Mapping[Any, str]) -> dict[str, float]:
    """Returns values by the names of classes.

    Classes that y has no labels of are left out, as some are in folds of few labels; but where
    a class has no value, such a one is an error.
    """
    unknown, missing = [c for c in values if c not in names], [c for c in names if c not in values]
    if unknown and missing:
        raise ValueError(f"{parameter} names {unknown[0]!r}, which y has no label of, and not {missing[0]!r}: name the classes as y does")
    return {names[c]: float(v) for c, v in values.items() if c in names}


def _answers(columns: Sequence[NDArray[Any]], model: Model, proba: bool) -> tuple[Floats, Floats | None]:
    """Returns decision values of machines, and probabilities where they are there, of the columns of a file of results, which has them last."""
    machines, classes = len(model.bias), len(model.classes_) if proba else 0
    answers = np.column_stack(columns[-machines - classes:])
    return answers[:, :machines], answers[:, machines:] if proba else None
