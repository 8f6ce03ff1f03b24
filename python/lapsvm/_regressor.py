"""The regressor."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_consistent_length

from . import _labels
from ._estimator import Labels, LapSVM
from ._points import Floats
from .errors import FewLabelsError, NoLabelsError


class LapSVMRegressor(RegressorMixin, LapSVM):
    """Laplacian machine for numbers: a regression from many points of which few have a number.

    Parameters that are None are chosen by labels that are left out, one after the other; a float or
    int is taken as it is. They are the flags of `lapsvm train --regression`. The same seed gives the same
    result with any number of threads. Numbers are brought to mean 0 and deviation 1 for the training,
    and back.

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
    loss : {"squared", "huber", "squared-epsilon-insensitive"}
        squared (LapRLSC), huber (numbers, some far off) or squared-epsilon-insensitive (numbers,
        small residuals free) (default squared)
    bias : {"on", "outside", "off"}
        unregularised bias: on, outside (not part of the intrinsic norm) or off
    criterion : {"squared", "absolute"}
        what machines are chosen by, the mean squared or absolute error of labels that are left out
        (default squared)
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
    intervals : bool
        Keep what predict_interval needs: machines trained without some of the labels.
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

    Attributes
    ----------
    transduction_ : ndarray of the number that the training finds for every row of X
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    columns_ : dict of what each column of a table was taken for, as of LapSVMClassifier; None for points
    n_iter_ : int, the solver's iterations
    expected_error_ : float, the root of the mean squared error to expect of new rows like the labelled ones, by
        labels that had no part in the choice of parameters; None where these were given, and with fewer than
        ten labels to tell it
    expected_interval_ : (float, float), the 95 % interval of that; None likewise
    verdict_ : whether the unlabelled rows help, by these labels: "helps", "harms" or "cannot be told"; None
        where no parameters were chosen, and for a supervised machine
    result_ : dict, what `lapsvm train --json` prints: chosen parameters, times, memory
    report_ : the page of the training, with report; the last line of a notebook's cell shows it, and report_.save(path) writes it
    model_ : bytes of the model file, which `lapsvm predict` and `lapsvm.load` read

    Source: Belkin, Niyogi, Sindhwani, "Manifold Regularization", JMLR 7, 2006.
    """

    def __init__(self, kernel: str | None = None, *, distances: bool | None = None, sigma: float | str | None = None, degree: int | None = None,
                 gamma: float | None = None, coef0: float | None = None, gamma_a: float | str | None = None, gamma_i: float | str | None = None,
                 neighbours: int | str | None = None, edge_weight: float | str | None = None, laplacian_degree: int | str | None = None,
                 metric: str | None = None, weights: str | None = None, heat: float | None = None, recall: float | None = None,
                 laplacian: str | None = None, loss: str | None = None, bias: str | None = None, criterion: str | None = None,
                 describe: str | Sequence[str] | None = None, standardise: str | None = None, solver: str | None = None, stop: str | None = None,
                 check_every: int | None = None, max_iter: int | None = None, tolerance: float | None = None, views: int | None = None,
                 precision: int | None = None, most_points: int | None = None, landmarks: int | None = None, compact: bool | None = None,
                 seed: int | None = None, time: float | str | None = None, memory: str | None = None, threads: int | None = None,
                 intervals: bool = True, verbose: int = 0, report: bool = False, coordinates: Sequence[str] | None = None,
                 text: str | Sequence[str] | None = None, category: str | Sequence[str] | None = None, ignore: str | Sequence[str] | None = None,
                 word_vectors: str | os.PathLike[str] | None = None, embed: str | os.PathLike[str] | None = None, embed_with: str | None = None,
                 embed_cache: str | os.PathLike[str] | None = None, onnxruntime: str | os.PathLike[str] | None = None,
                 image_shape: Sequence[int] | None = None, standardize: str | None = None, neighbors: int | str | None = None) -> None:
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
        self.criterion = criterion
        self.describe = describe
        self.standardise = standardise
        self.solver = solver
        self.stop = stop
        self.check_every = check_every
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.views = views
        self.precision = precision
        self.most_points = most_points
        self.landmarks = landmarks
        self.compact = compact
        self.seed = seed
        self.time = time
        self.memory = memory
        self.threads = threads
        self.intervals = intervals
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

    def fit(self, X: Any, y: Labels, edges: Any = None) -> LapSVMRegressor:
        """Trains on the rows of X, of which those with a number in y are labelled.

        X and edges are as of LapSVMClassifier.fit. y has n numbers, of which None, NaN, empty text and what a
        masked array leaves out are none. Raises ValueError for data and parameters that the program refuses,
        with what to do.
        """
        parameters, X, table = self._resolved(), *self._taken(X, y)
        check_consistent_length(X, y)
        text, flags, _, _ = self._spelt(X, y, parameters, few=False)
        decided = self._train(X, table, text, parameters, edges, [*flags, "--proba", "on" if self.intervals else "off"])
        self.transduction_ = decided[-1]
        choice = self.result_.get("choice") or {}
        self.expected_error_, self.verdict_ = choice.get("rmse"), choice.get("verdict")
        self.expected_interval_ = (choice["rmse_low"], choice["rmse_high"]) if "rmse" in choice else None
        return self

    def _spelt(self, X: Any, y: Any, parameters: dict[str, Any], few: bool) -> tuple[NDArray[np.str_], list[str], list[str], NDArray[Any]]:
        labelled, values = _labels.numbers(y)
        if len(np.unique(values)) < 2 and not few:
            raise (FewLabelsError if len(values) else NoLabelsError)(
                f"y has {'one number' if len(values) else 'no number'} (n_samples = {len(labelled)}, {len(values)} labelled; "
                "None, NaN and empty text are no labels)", "label rows with numbers that differ")
        text = np.zeros(len(labelled), "<U32")
        text[labelled] = [repr(v) for v in values.tolist()]
        return text, ["--regression"], [], np.array([])

    def _meant(self, text: str, classes: Mapping[str, Any], several: bool) -> Any:
        return float(text)

    def predict(self, X: Any, edges: Any = None) -> Floats:
        """Returns the number of every row. edges are as of LapSVMClassifier.decision_function."""
        if edges is not None:
            return self._by_edges(X, edges, [])[:, 0]
        X, _, values = self._quick(X)
        return values[:, 0] if values is not None else self._ask(X, [])[-1]

    def predict_interval(self, X: Any, level: float = 0.9) -> Floats:
        """Returns (n, 2) ends of intervals, the lower first, that hold the number of a row with the probability level.

        They are made of the machines without some of the labels (jackknife+). Raises ValueError where the
        last fit had intervals=False, and for a level that the labels are too few for: l labels have intervals up to l/(l + 1).
        """
        X, model, values = self._quick(X)
        if values is not None:
            return model.interval(X, level)
        return np.column_stack(self._ask(X, [f"--interval={level!r}"])[-2:])

    def score(self, X: Any, y: Labels, sample_weight: ArrayLike | None = None) -> float:
        """Returns R² on the rows that have a number in y."""
        labelled, values = _labels.numbers(y)
        if not labelled.any():
            raise ValueError("y has no labels to compare with")
        check_consistent_length(X, labelled)
        return float(r2_score(values, self.predict(X)[labelled], sample_weight=None if sample_weight is None else np.asarray(sample_weight)[labelled]))
