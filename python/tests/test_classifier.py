"""LapSVMClassifier: what scikit-learn asks of a classifier, and what the program does beside it."""

import io
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import lapsvm
from lapsvm import LabelledKFold, LapSVMClassifier, LapSVMRegressor, _command, _files, _labels, _parameters

LONG = bool(os.environ.get("LAPSVM_LONG"))


@pytest.mark.filterwarnings("ignore")
def test_all_checks_of_scikit_learn():
    """With most parameters given; those that are left open, which take longer, are chosen in the long test."""
    check_estimator(LapSVMClassifier(gamma_a=0.01, gamma_i=0.01, neighbours=6, laplacian_degree=1, standardise="none"))


@pytest.mark.skipif(not LONG, reason="LAPSVM_LONG is not set")
@pytest.mark.filterwarnings("ignore")
def test_all_checks_with_chosen_parameters():
    check_estimator(LapSVMClassifier())


def test_what_the_labels_tell(moons, given):
    """The error to expect is that of train, and there is none where the labels tell none."""
    X, truth, y = moons
    open_ = {name: value for name, value in given.items() if name not in ("gamma_a", "gamma_i")}
    many = np.where(np.arange(len(y)) % 5 == 0, truth, -1)
    told = LapSVMClassifier(**open_).fit(X, many)
    choice = told.result_["choice"]
    assert told.expected_error_ == choice["error"] / 100 and told.verdict_ == choice["verdict"] in ("helps", "harms", "cannot be told")
    assert told.expected_interval_ == (choice["error_low"] / 100, choice["error_high"] / 100)
    low, high = told.expected_interval_
    assert 0 <= low <= told.expected_error_ <= high <= 1
    told.fit(X, y)  # eight labels
    assert (told.expected_error_, told.expected_interval_, told.verdict_) == (None, None, "cannot be told")
    told.set_params(**given).fit(X, many)
    assert (told.expected_error_, told.expected_interval_, told.verdict_) == (None, None, None)


def test_sets_hold_the_classes_that_a_row_may_have(moons, given):
    X, truth, y = moons
    many = LapSVMClassifier(**given).fit(X, np.where(np.arange(len(y)) % 5 == 0, truth, -1))
    sets = many.predict_set(X, 0.9)
    assert sets.shape == (len(X), 2) and sets.dtype == bool
    assert sets[np.arange(len(X)), np.searchsorted(many.classes_, truth)].mean() > 0.8
    wide, proba = many.predict_set(X, 0.95), many.predict_proba(X)
    assert (wide >= sets).all()
    for k in range(2):  # by the probability of the class alone
        assert proba[sets[:, k], k].min() > proba[~sets[:, k], k].max(initial=0)
    with pytest.warns(UserWarning, match="unlike those"):
        assert not many.predict_set(X[:1] + 1000).any()
    with pytest.raises(ValueError, match="takes 99 held-out labels, of which there are"):
        many.predict_set(X, 0.99)
    with pytest.raises(NotFittedError):
        LapSVMClassifier().predict_set(X)


def test_effects_of_columns_add_up(moons, given):
    X, _, y = moons
    classifier = LapSVMClassifier(**given).fit(X, y)
    rows = X[:3]
    explained = classifier.explain(rows)
    scores = classifier.decision_function(rows)
    assert [why["row"] for why in explained] == [0, 1, 2]
    for why, score, label in zip(explained, scores, classifier.predict(rows)):
        assert why["label"] == str(label) and why["sentence"].startswith(f"{label}, ")
        assert why["decision"] == pytest.approx(abs(score), abs=1e-4)
        assert why["usual_decision"] + sum(c["effect"] for c in why["columns"]) == pytest.approx(why["decision"], abs=1e-9)
        assert {"column", "value", "usual", "class", "effect"} <= set(why["columns"][0])


def test_columns_of_arrays_are_called_as_scikit_learn_does(moons, given):
    X, _, y = moons
    for classifier, first in ((LapSVMClassifier(**given).fit(X, y), "x0"), (LapSVMClassifier(**given).fit(pandas.DataFrame(X, columns=["1", "2"]), y), "1")):
        why = classifier.explain(X[:1] if first == "x0" else pandas.DataFrame(X[:1], columns=["1", "2"]))[0]
        assert first in [column["column"] for column in why["columns"]]
        assert f" {why['columns'][0]['column']} = " in why["sentence"]


def test_rows_to_label_next(moons, given):
    """They have no label, and y may have none at all, or one class. The estimator stays as it was."""
    X, truth, y = moons
    classifier = LapSVMClassifier(**given, max_iter=9)
    begun = {"none": None, "NaN": np.full(len(y), np.nan), "one class": np.where(y == 1, 7, -1), "numbers": y, "words": [None if v < 0 else "ab"[v] for v in y]}
    for labels in begun.values():
        rows = classifier.suggest(X, labels, n=5)
        assert len({one["row"] for one in rows}) == 5 and all(0 <= one["row"] < 200 and one["reason"] for one in rows)
        assert labels is None or not isinstance(labels, np.ndarray) or labels is not y or not any(y[one["row"]] >= 0 for one in rows)
    least = classifier.suggest(X, y, n=1, strategy="uncertainty")[0]["row"]
    fitted = LapSVMClassifier(**given).fit(X, y)
    margins = np.where(y < 0, np.abs(fitted.decision_function(X)), np.inf)
    assert margins[least] <= np.sort(margins)[5]
    assert not hasattr(classifier, "n_features_in_")
    assert LapSVMRegressor(**given).suggest(X, n=1)[0]["reason"]
    with pytest.raises(lapsvm.errors.ParameterError, match=r"^n takes a number"):
        classifier.suggest(X, y, n=0)
    with pytest.raises(lapsvm.errors.ParameterError, match="^strategy takes"):
        classifier.suggest(X, y, strategy="best")


def test_wrong_labels_are_found(moons, given):
    X, truth, y = moons
    y = np.where(np.arange(len(y)) % 4 == 0, truth, -1)
    wrong = np.flatnonzero(y >= 0)[7]
    y[wrong] = 1 - truth[wrong]
    first = LapSVMClassifier(**given).audit(X, y)[0]
    assert (first["row"], first["given"], first["suggested"]) == (wrong, 1 - truth[wrong], truth[wrong]) and first["suspicion"] > 0.5 and first["why"]
    assert all(one["class"] == y[one["row"]] for one in first["neighbours"])
    numbers = np.where(y < 0, np.nan, X[:, 0])
    numbers[wrong] += 100
    first = LapSVMRegressor(**given).audit(X, numbers)[0]
    assert (first["row"], first["given"]) == (wrong, pytest.approx(numbers[wrong], rel=1e-5))
    with pytest.warns(UserWarning, match=r"row 0 is .*, row 200 is .*counted from 0"):
        LapSVMClassifier(**given).audit(np.vstack([X, X[:1]]), [*truth, 1 - truth[0]])
    with pytest.raises(lapsvm.errors.NoLabelsError):
        LapSVMClassifier(**given).audit(X, [None] * 200)
    several = np.column_stack([truth, X[:, 0] > 0.5]).astype(int)
    assert isinstance(LapSVMClassifier(**given).audit(X, several)[0]["given"], list)


def test_unlabelled_rows_are_found_in_every_spelling(moons, given):
    X, truth, y = moons
    reference = LapSVMClassifier(**given).fit(X, y)
    assert (reference.transduction_ == truth).mean() > 0.95
    assert (reference.result_["labelled"], reference.result_["unlabelled"]) == (8, 192)
    scores = reference.decision_function(X)
    words = np.array(["none", "unlabelled"], object)  # names that are words for nothing
    spellings = {
        "NaN": np.where(y < 0, np.nan, y),
        "None": [None if v < 0 else int(v) for v in y],
        "empty words": ["" if v < 0 else words[v] for v in y],
        "words and None": [None if v < 0 else words[v] for v in y],
        "words and -1": [-1 if v < 0 else words[v] for v in y],
        "a column of booleans with gaps": pandas.Series(y > 0).astype("boolean").mask(y < 0),
        "a category": pandas.Series(np.where(y < 0, np.nan, y)).astype("category"),
        "a nullable column": pandas.Series(y).astype("Int64").mask(y < 0),
        "masked": np.ma.masked_array(np.abs(y), y < 0),
        "numbers as text, sorted otherwise": [None if v < 0 else ["9", "10"][v] for v in y],
    }
    for name, spelt in spellings.items():
        other = LapSVMClassifier(**given).fit(X, spelt)
        sign = -1 if name.startswith("numbers") else 1  # "10" comes before "9" in classes_
        np.testing.assert_array_equal(other.decision_function(X), sign * scores, err_msg=name)
        labels = dict(zip([0, 1], {"w": words, "e": words, "n": ["9", "10"]}.get(name[0], [0, 1])))
        assert list(other.predict(X)) == [labels[v] for v in reference.predict(X)], name
    whole = LapSVMClassifier(**given).fit(X, spellings["a nullable column"])
    assert whole.classes_.dtype.kind == "i"
    octets = LapSVMClassifier(**given).fit(X, np.array([b"" if v < 0 else [b"a", b"b"][v] for v in y]))
    np.testing.assert_array_equal(octets.decision_function(X), scores)
    assert octets.classes_.tolist() == [b"a", b"b"]
    zeros = LapSVMClassifier(unlabelled=0, **given).fit(X, y + 1)
    np.testing.assert_array_equal(zeros.decision_function(X), scores)
    assert list(zeros.classes_) == [1, 2]


@pytest.mark.parametrize("spellings", [["2", "2.0", "+2", "02", " 2 ", "2e0"], ["cat", "cat ", "\tcat"]])
def test_spellings_of_a_class_are_one_class(moons, given, spellings):
    X, truth, y = moons
    spelt = np.where(truth == 0, "1", np.resize([*spellings, spellings[0]], 200))
    reference = LapSVMClassifier(**given).fit(X, truth)
    with pytest.warns(UserWarning, match=re.escape(f"they are one class, {spellings[0]!r}")):
        model = LapSVMClassifier(class_weight={"1": 1, spellings[0]: 1}, **given).fit(X, spelt)
    assert model.classes_.tolist() == ["1", spellings[0]]
    np.testing.assert_array_equal(model.decision_function(X), reference.decision_function(X))
    with pytest.warns(UserWarning, match="several ways"):
        assert model.score(X, spelt) == reference.score(X, truth)
    assert model.score(X[:1], spelt[:1]) == 1 and model.score(X[truth == 1][:1], [spellings[1]]) == 1
    with pytest.warns(UserWarning, match="several ways"):
        folds = list(LabelledKFold(2).split(X, np.where(y < 0, "-1.0", spelt)))
    assert [len(test) for _, test in folds] == [4, 4]


def test_numbers_of_many_digits_are_many_classes():
    long = np.array(["12345678901234567890", "12345678901234567891", "1_0", "10", "nan ", "１"])
    assert _labels.spelt(long).tolist() == long.tolist()


def test_minus_one_is_a_class_beside_one_alone(moons, given):
    X, truth, y = moons
    signs = 2 * truth - 1
    with pytest.warns(UserWarning, match="two classes"):
        both = LapSVMClassifier(**given).fit(X, signs)
    assert list(both.classes_) == [-1, 1] and both.result_["unlabelled"] == 0
    few = LapSVMClassifier(**given).fit(X, np.where(y < 0, np.nan, 2 * y - 1))
    assert list(few.classes_) == [-1, 1] and few.result_["labelled"] == 8
    with pytest.raises(ValueError, match="one class"):
        LapSVMClassifier(**given).fit(X, np.where(y == 1, 7, -1))


def test_answers_are_those_of_the_command(moons, given, tmp_path, program):
    X, _, y = moons
    y = np.where(X[:, 0] > 1.5, np.where(y < 0, -1, 2), y)  # a third class
    classifier = LapSVMClassifier(precision=64, threads=1, memory="2GB", **given).fit(X, y)
    classifier.save(tmp_path / "m.lapsvm")
    np.savez(tmp_path / "x.npz", X=X)
    subprocess.run([_command.binary(), "predict", tmp_path / "m.lapsvm", tmp_path / "x.npz", "--scores", "--proba", "-o", tmp_path / "o.csv", "--quiet"], check=True)
    out = pandas.read_csv(tmp_path / "o.csv", float_precision="round_trip")
    np.testing.assert_array_equal(classifier.predict(X), out["label"])
    np.testing.assert_array_equal(classifier.decision_function(X), out.filter(like="score_"))
    np.testing.assert_array_equal(classifier.predict_proba(X), out.filter(like="proba_"))
    np.testing.assert_array_equal(classifier.transduction_, classifier.predict(X))
    np.testing.assert_allclose(classifier.label_distributions_, classifier.predict_proba(X), atol=1e-6)


def test_points_of_every_kind(moons, given):
    X, _, y = moons
    scores = LapSVMClassifier(**given).fit(X, y).decision_function(X)
    frame = pandas.DataFrame(X, columns=["left", "up"])
    named = LapSVMClassifier(**given).fit(frame, y)
    assert list(named.feature_names_in_) == ["left", "up"] and named.n_features_in_ == 2
    np.testing.assert_array_equal(named.decision_function(frame), scores)
    for matrix in (sparse.csr_matrix(X), sparse.coo_matrix(X), sparse.csc_matrix(X)):
        np.testing.assert_allclose(LapSVMClassifier(**given).fit(matrix, y).decision_function(matrix), scores, rtol=1e-5, atol=1e-6)
    images = np.round(100 * X + 100).clip(0, 255).astype(np.uint8)
    given = {**given, "sigma": 35}
    as_bytes = LapSVMClassifier(**given).fit(images, y)
    np.testing.assert_array_equal(as_bytes.decision_function(images), LapSVMClassifier(**given).fit(images.astype(np.float32), y).decision_function(images.astype(float)))
    assert b'"storage":"uint8"' in as_bytes.model_[:100_000]


def test_columns_of_numbers_keep_their_order(moons, given):
    X, _, y = moons
    with pytest.raises(ValueError, match="same order"):
        LapSVMClassifier(**given).fit(pandas.DataFrame(X, columns=["a", "b"]), y).predict(pandas.DataFrame(X, columns=["b", "a"]))


def test_given_kernel_values(moons, given):
    X, truth, y = moons
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * 0.35**2))
    classifier = LapSVMClassifier(kernel="precomputed", metric="kernel", **{**given, "sigma": None}).fit(K, y)
    assert (classifier.predict(K[150:]) == truth[150:]).mean() > 0.95


def test_pipeline_search_clone_and_pickle(moons, given):
    X, truth, y = moons
    pipeline = make_pipeline(StandardScaler(), LapSVMClassifier(**{**given, "sigma": None}))
    search = GridSearchCV(pipeline, {"lapsvmclassifier__gamma_i": [0.1, 10.0]}, cv=2).fit(X, y)
    assert (search.predict(X) == truth).mean() > 0.9
    classifier = LapSVMClassifier(**given).fit(X, y)
    again = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(again.decision_function(X), classifier.decision_function(X))
    assert clone(classifier).get_params() == classifier.get_params()


def test_folds_of_labelled_rows(moons, given):
    X, truth, y = moons
    missing = [None if v < 0 else "ab"[v] for v in y]
    for train, test in LabelledKFold(2).split(X, missing):
        assert sorted([*train, *test]) == list(range(200)) and sorted(y[test]) == [0, 0, 1, 1]
    for labels in (y, np.where(y < 0, np.nan, y), missing, pandas.Series(missing).astype("category")):
        for scoring in (None, "accuracy", "roc_auc"):
            assert cross_val_score(LapSVMClassifier(**given), X, labels, cv=LabelledKFold(2, shuffle=True, random_state=0), scoring=scoring, error_score="raise").mean() > 0.9
    search = GridSearchCV(LapSVMClassifier(**given), {"gamma_i": [0.01, 1.0]}, cv=LabelledKFold(2), error_score="raise").fit(X, missing)
    assert (search.predict(X) == np.array(["a", "b"])[truth]).mean() > 0.9
    with pytest.raises(ValueError, match="no labels"):
        next(LabelledKFold(2).split(X, np.full(200, -1)))


def test_processes_of_joblib_share_processors_and_memory(monkeypatch):
    monkeypatch.setattr(_command, "cpu_count", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert _command.limits(None, None) == ["--threads=2"]
    monkeypatch.setattr(_command.multiprocessing, "parent_process", lambda: "a process")
    assert _command.limits(None, None) == ["--threads=2", "--memory=20%"]
    assert _command.limits(3, "1GB") == ["--threads=3", "--memory=1GB"]
    monkeypatch.setenv("OMP_NUM_THREADS", "2,1")
    assert _command.limits(None, None) == []


def test_score_counts_labelled_rows_alone(moons, given):
    X, truth, y = moons
    classifier = LapSVMClassifier(**given).fit(X, y)
    assert classifier.score(X, y) == 1
    assert classifier.score(X, truth) == (classifier.predict(X) == truth).mean()
    with pytest.raises(ValueError, match="no labels"):
        classifier.score(X, np.full(len(X), -1))


def test_weights_and_priors_go_by_class(moons, given):
    X, truth, y = moons
    y = np.where(y < 0, None, np.array(["a,b", 'c"=d'], object)[y])
    prior = LapSVMClassifier(prior={"a,b": np.float64(0.25), 'c"=d': 0.75}, **given).fit(X, y)
    assert abs((prior.transduction_ == "a,b").mean() - 0.25) < 0.03
    for parameter in ("prior", "class_weight"):
        with pytest.raises(ValueError, match=f"{parameter} names 'c', which y has no label of, and not"):
            LapSVMClassifier(**{parameter: {"a,b": 0.5, "c": 0.5}}, **given).fit(X, y)
    weighted = LapSVMClassifier(class_weight={"a,b": 1, 'c"=d': 3.5}, **given).fit(X, y)
    assert weighted.result_["class_weights"] == {"a,b": 1, 'c"=d': 3.5}


def test_errors_are_exceptions_with_the_text_of_the_program(moons, given):
    X, _, y = moons
    with pytest.raises(ValueError, match="^gamma_a must be positive"):
        LapSVMClassifier(gamma_a=-1).fit(X, y)
    with pytest.raises(ValueError, match="kernel"):
        LapSVMClassifier(kernel="cubic").fit(X, y)
    with pytest.raises(ValueError, match="fill this sparse table"):
        LapSVMClassifier(standardise="zscore").fit(sparse.csr_matrix(np.eye(200, 190)), y)
    with pytest.raises(AttributeError):
        LapSVMClassifier(proba=False, **given).fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match="fit again"):
        LapSVMClassifier(proba=False, **given).fit(X, y).set_params(proba=True).predict_proba(X)
    with pytest.raises(ValueError, match="no class .*None, NaN and empty text are no labels.*LabelledKFold"):
        LapSVMClassifier(**given).fit(X, np.full(200, -1))


def test_warnings_say_how_rows_are_counted_and_name_no_flags_that_are_not_there(moons, given):
    X, _, y = moons
    classifier = LapSVMClassifier(**given).fit(X, y)
    with pytest.warns(UserWarning, match=r"unlike those .*\(rows are counted from 1\)$") as caught:
        classifier.predict(X + 3)
    assert "--" not in str(caught[0].message) and "FILE" not in str(caught[0].message)


def test_a_missing_program_is_told_with_how_to_get_it(moons, monkeypatch):
    X, _, y = moons
    monkeypatch.setenv("LAPSVM_BINARY", "")
    monkeypatch.setenv("PATH", "")
    if not (Path(_command.__file__).parent / "bin" / "lapsvm").exists():
        with pytest.raises(FileNotFoundError, match="make wheel"):
            LapSVMClassifier().fit(X, y)
    monkeypatch.setenv("LAPSVM_BINARY", "/nowhere")
    with pytest.raises(FileNotFoundError, match="/nowhere"):
        LapSVMClassifier().fit(X, y)
    monkeypatch.setenv("LAPSVM_BINARY", shutil.which("true", path=os.defpath) or "/usr/bin/true")
    with pytest.raises(RuntimeError, match="names another program than lapsvm"):
        LapSVMClassifier().fit(X, y)


def test_numbers_beyond_float64_are_no_points_and_no_labels():
    X, y = [[10**400, 1], [1, 2], [3, 4], [5, 6]], [0, 1, 0, 1]
    with pytest.raises(ValueError, match="beyond those of float64"):
        LapSVMClassifier().fit(X, y)
    with pytest.raises(ValueError, match="a label that is no number"):
        LapSVMRegressor().fit(X[1:], [10**400, 1, 2])


# A stand-in for the program: it reports itself, and goes on, as that does, until it is ended.
WAITING = """#!/bin/sh
echo $$ > "$STANDIN"
echo "warning: a warning" >&2
while echo "working: 50 %" >&2; do sleep 0.1; done
"""


@pytest.fixture
def waiting(tmp_path, monkeypatch):
    program, started = tmp_path / "waiting", tmp_path / "pid"
    program.write_text(WAITING)
    program.chmod(0o755)
    monkeypatch.setenv("LAPSVM_BINARY", str(program))
    monkeypatch.setenv("STANDIN", str(started))
    return started


@pytest.mark.parametrize("descriptors", ["/proc/self/fd", "/nowhere"])  # the second as on systems other than Linux
def test_an_interruption_ends_the_program_and_leaves_nothing(waiting, moons, tmp_path, monkeypatch, descriptors):
    monkeypatch.setattr(_files, "SHARED_MEMORY", str(tmp_path))
    monkeypatch.setattr(_files, "DESCRIPTORS", descriptors)

    runs = threading.Event()
    monkeypatch.setattr(_command.Progress, "show", lambda progress, line: runs.set())

    def interrupt():
        runs.wait()
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt), pytest.warns(UserWarning, match="a warning"):
        LapSVMClassifier().fit(moons[0], moons[2])
    thread.join()
    with pytest.raises(ProcessLookupError):
        os.kill(int(waiting.read_text()), 0)
    assert not list(tmp_path.glob("lapsvm-*"))


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[1])
import numpy
from lapsvm import LapSVMClassifier, _files
_files.SHARED_MEMORY = sys.argv[2]
X = numpy.random.RandomState(0).rand(3000, 50)
LapSVMClassifier(threads=1).fit(X, numpy.where(X[:, 0] < 0.02, X[:, 1] < 0.5, numpy.nan))
"""


@pytest.mark.skipif(not Path(_files.DESCRIPTORS).exists(), reason="files have names here")
def test_nothing_is_left_of_a_fit_whose_process_is_killed(tmp_path):
    with subprocess.Popen([sys.executable, "-c", KILLED, str(Path(_files.__file__).parents[1]), str(tmp_path)]) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not (programs := children.read_text().split()):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert not list(tmp_path.iterdir())
    for _ in range(6000):  # it ends with its next line of progress
        try:
            if Path(f"/proc/{programs[0]}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                break
        except OSError:
            break
        time.sleep(0.01)
    else:
        pytest.fail("the program goes on")


def test_standard_input_may_be_closed_as_in_workers_of_joblib(moons, given):
    saved = os.dup(0)
    os.close(0)
    try:
        assert LapSVMClassifier(**given).fit(moons[0], moons[2]).score(moons[0], moons[1]) > 0.95
    finally:
        os.dup2(saved, 0)
        os.close(saved)


@pytest.mark.skipif(not LONG, reason="LAPSVM_LONG is not set")
def test_processes_of_joblib(moons, given, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(_command.__file__).parents[1]))
    assert cross_val_score(LapSVMClassifier(**given), moons[0], moons[1], cv=4, n_jobs=2, error_score="raise").mean() > 0.95


def test_programs_files_have_paths_without_names_and_with(moons, given, monkeypatch):
    X, _, y = moons
    nameless = LapSVMClassifier(**given).fit(X, y)
    monkeypatch.setattr(_files, "DESCRIPTORS", "/nowhere")
    named = LapSVMClassifier(class_weight={0: 1, 1: 1}, **given).fit(X, y)
    np.testing.assert_array_equal(named.decision_function(X), nameless.decision_function(X))


def test_progress_is_shown_where_it_is_asked_for(tmp_path, moons, monkeypatch, capsys):
    program = tmp_path / "failing"
    program.write_text('#!/bin/sh\necho "reading 7: 50 %" >&2\necho "lapsvm: $2: no" >&2\nexit 3\n')
    program.chmod(0o755)
    monkeypatch.setenv("LAPSVM_BINARY", str(program))
    for verbose, shown in ((0, ""), (1, "reading the points: 50 %\n")):
        with pytest.raises(ValueError, match="no$"):
            LapSVMClassifier(verbose=verbose).fit(moons[0], moons[2])
        assert capsys.readouterr().err == shown


def test_progress_is_one_line_in_a_terminal(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = _command.Progress(1)
    for line in ("reading 7: 1 of 2 MB", "solving"):
        progress.show(line)
    progress.done()
    progress.done()
    assert terminal.getvalue() == "\rreading the points: 1 of 2 MB\rsolving" + 22 * " " + "\r" + 7 * " " + "\r"


def test_parameters_are_flags_of_train():
    text = subprocess.run([_command.binary(), "train", "--help-all"], check=True, capture_output=True, text=True).stdout
    for name in {**LapSVMClassifier().get_params(), **LapSVMRegressor().get_params()}:
        if name not in ("unlabelled", "intervals", "verbose"):
            assert f"--{_parameters.SPELLINGS.get(name, name).replace('_', '-')} " in text, name


def test_import_needs_no_program():
    code = textwrap.dedent("""
        import sys
        sys.path.insert(0, sys.argv[1])
        import lapsvm
        lapsvm.LapSVMClassifier()
    """)
    subprocess.run([sys.executable, "-c", code, str(Path(__file__).parents[1])], check=True, env={"PATH": ""})


def test_program_on_windows_without_its_ending(tmp_path, monkeypatch):
    """LAPSVM_BINARY may name lapsvm.exe by lapsvm, where programs end so."""
    program = tmp_path / "lapsvm.exe"
    program.touch(mode=0o755)
    monkeypatch.setattr(_command, "os", SimpleNamespace(name="nt", path=os.path, access=os.access, X_OK=os.X_OK, environ={"LAPSVM_BINARY": str(tmp_path / "lapsvm")}))
    assert _command.binary() == str(program)


@pytest.mark.parametrize("y, said", [([-1, 0, 1, 1], "0, 1"), (["-1", "1", "2", "3"], "1, 2, 3"), ([-1.0, 0.0, 1.0], "0, 1"),
                                     ([-1, -1, 0, 1], None), ([-1, 0, 2, 2], None), ([-1, 0, 1, None], None), (["-1", "a", "b"], None)])
def test_minus_one_that_may_be_a_class_is_warned_of(y, said):
    y = np.array(y, object if None in y else None)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        labelled, _ = _labels.split(y, -1)
        assert not labelled[0]
        assert _labels.split(y, None)[0][0]
    assert [str(w.message) for w in told] == ([f"-1 means no label beside the classes {said}; if it is a class, give unlabelled=None"] if said else [])


def test_edges_decide_where_features_do_not():
    """Given alone they are the graph; beside neighbours they are weighed."""
    rng = np.random.default_rng(1)
    y = np.arange(120) % 2
    X = rng.normal(size=(120, 2))
    W = np.triu(rng.random((120, 120)) < np.where(y[:, None] == y, 0.2, 0.02), 1).astype(float)
    labels = np.where(np.arange(120) < 8, y, -1)
    alone = LapSVMClassifier(neighbours=0, gamma_a=1e-6, gamma_i=1, laplacian_degree=1, sigma=0.1, solver="deformed")
    for edges in (W, sparse.coo_matrix(W), sparse.csc_matrix(W.T)):
        decided = alone.fit(X, labels, edges=edges).transduction_
        assert np.mean(decided == y) > 0.95
    both = LapSVMClassifier(neighbours=5, edge_weight=10.0, gamma_a=1e-6, gamma_i=1, laplacian_degree=1, sigma=0.1, solver="deformed")
    assert np.mean(both.fit(X, labels, edges=W).transduction_ == y) > np.mean(both.set_params(edge_weight="auto").fit(X, labels).transduction_ == y)
    with pytest.raises(ValueError, match="give a row and a column for each"):
        alone.fit(X, labels, edges=W[:5])
    with pytest.raises(ValueError, match="no edges are given"):
        alone.fit(X, labels)


@pytest.mark.parametrize("shifted, alone", [(True, False), (False, True), (None, True)])
def test_edges_decide_new_rows(shifted, alone, tmp_path):
    """As the program does, beside features, in their place and without any; the loader says the same."""
    rng = np.random.default_rng(2)
    y = np.arange(150) % 3
    X = rng.normal(size=(150, 3)) + 2 * bool(shifted) * np.eye(3)[y]
    W = np.triu(rng.random((150, 150)) < np.where(y[:, None] == y, 0.25, 0.02), 1).astype(float)
    known, new, joins = W[:120, :120], X[120:], sparse.csc_matrix(W.T[120:, :120])
    labels = np.where(np.arange(120) < 12, y[:120], -1)
    given = {"neighbours": 0} if alone else {"neighbours": 5, "edge_weight": 3.0}
    model = LapSVMClassifier(gamma_a=1e-6, gamma_i=1, laplacian_degree=1, **({"sigma": 0.1} if shifted is not None else {}), **given)
    if shifted is None:
        with pytest.raises(ValueError, match="no edges are given"):
            model.fit(None, labels)
        new = None
    model.fit(None if shifted is None else X[:120], labels, edges=known)
    decided = model.predict(new, edges=joins)
    assert np.mean(decided == y[120:]) > 0.9
    scores = model.decision_function(new, edges=joins.toarray())
    assert (model.classes_[scores.argmax(axis=1)] == decided).all()
    np.testing.assert_allclose(model.predict_proba(new, edges=joins).sum(axis=1), 1)
    loaded = lapsvm.load(model.model_)
    np.testing.assert_allclose(loaded.decision_function(new, edges=joins), scores, atol=1e-6)
    assert (loaded.predict(new, edges=joins) == decided).all()
    with pytest.raises(ValueError, match="give a row for each of X"):
        model.predict(new, edges=joins[:, :5])
    # The program, by numbers of rows.
    path, edges, rows, out = (tmp_path / name for name in ("m.lapsvm", "edges.csv", "rows.csv", "out.csv"))
    model.save(path)
    columns = X[120:] if shifted is not None else np.arange(30)[:, None]
    np.savetxt(rows, columns, delimiter=",", header="a,b,c" if shifted is not None else "row", comments="")
    i, j = joins.tocoo().coords if hasattr(joins.tocoo(), "coords") else (joins.tocoo().row, joins.tocoo().col)
    np.savetxt(edges, np.column_stack([i + 1, j + 1]), delimiter=",", fmt="%d", header="from,to", comments="")
    subprocess.run([_command.binary(), "predict", path, rows, "--edges", edges, "--scores", "-o", out, "--quiet"], check=True)
    told = pandas.read_csv(out)
    np.testing.assert_allclose(told[[f"score_{k}" for k in range(3)]].to_numpy(), scores, atol=1e-6)
