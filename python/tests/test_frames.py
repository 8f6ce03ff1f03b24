"""DataFrames with words, dates and gaps are read as the program reads a table, and predicted by the same columns."""

import datetime
import pickle
import warnings

import numpy as np
import pandas
import pytest

from lapsvm import LapSVMClassifier, _estimator, _frames, load

GIVEN = {"gamma_a": 0.01, "gamma_i": 1, "neighbours": 6}


@pytest.fixture(scope="module")
def people():
    """Returns a DataFrame of columns of every kind, with gaps, and y, of which a quarter is labelled."""
    random, n = np.random.RandomState(0), 120
    truth = random.randint(0, 2, n)
    table = pandas.DataFrame({
        "height": random.randn(n) + 2 * truth, "visits": pandas.array(random.randint(0, 9, n), dtype="Int64"), "member": pandas.array(random.rand(n) > 0.5, dtype="boolean"),
        "side": np.where(truth == 1, "east", "west"), "zip": pandas.Categorical(np.where(random.rand(n) < 0.3, "01532", "1001")), "grade": pandas.Categorical(random.randint(1, 4, n)),
        "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(300 * random.rand(n) + 100 * truth, unit="D"),
        "zoned": (pandas.Timestamp("2020-01-01", tz="Europe/Berlin") + pandas.to_timedelta(random.randint(0, 900, n), unit="h")),
        "month": pandas.period_range("2001-01", periods=n, freq="M"), "wait": pandas.to_timedelta(random.rand(n), unit="D"),
        "day": [datetime.date(2024, 1, 1) + datetime.timedelta(int(k)) for k in random.randint(0, 60, n)], "post": ["the " + " ".join(random.choice(["cat", "dog", "naïve", "day"], 3)) for _ in range(n)],
        "label": random.rand(n), "one": 1})
    table.loc[3, ["height", "visits", "member", "side", "zip", "since", "zoned", "month", "wait", "day", "post"]] = None
    return table, truth, np.where(np.arange(n) < 30, np.array(["NA", 'no, "q"'])[truth], None)


@pytest.fixture(scope="module")
def fitted(people):
    table, _, y = people
    return LapSVMClassifier(**GIVEN).fit(table.drop(columns="post"), y), LapSVMClassifier(**GIVEN).fit(table, y)


def test_columns_are_what_pandas_says(people, fitted):
    table, truth, _ = people
    kinds = {"height": "number", "visits": "number", "member": "boolean", "side": "category", "zip": "category", "grade": "category", "since": "date", "zoned": "date",
             "month": "date", "wait": "number", "day": "date", "label": "number", "one": "dropped"}
    plain, with_text = fitted
    assert plain.columns_ == kinds and with_text.columns_ == {**kinds, "post": "text"}
    assert plain.n_features_in_ == 13 and list(plain.feature_names_in_) == [name for name in table if name != "post"]
    assert list(plain.classes_) == ["NA", 'no, "q"']
    assert (plain.predict(table) == plain.classes_[truth]).mean() > 0.9
    place = next(c for c in load(plain.model_).encoding["columns"] if c["name"] == "height")
    assert place["missing"] == 1 and place["low"] == table["height"].min() and place["high"] == table["height"].max()  # with all their digits


@pytest.mark.parametrize("which", [0, 1], ids=["dense", "with text"])
def test_numpy_and_the_program_agree_in_any_order_of_columns(people, fitted, which, monkeypatch):
    table, _, _ = people
    classifier = fitted[which]
    quick = classifier.decision_function(table), classifier.predict_proba(table)
    assert classifier._load().unremarkable(table, _estimator.WORK) is not None
    monkeypatch.setattr(_estimator, "WORK", -1)
    turned = table.iloc[:, ::-1].assign(another=[[1, 2]] * 120)
    np.testing.assert_allclose(quick[0], classifier.decision_function(turned), atol=1e-6)
    np.testing.assert_allclose(quick[1], classifier.predict_proba(turned), atol=1e-6)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(classifier)).decision_function(table), quick[0], atol=1e-6)


def test_tables_that_do_not_fit_are_refused_with_what_to_do(people, fitted):
    table, _, y = people
    classifier = fitted[0]
    for other, message in [
        (table.drop(columns=["height", "side"]), "the table lacks 'height', 'side', which the estimator was trained with: add what is missing"),
        (table.to_numpy(), "give a DataFrame of pandas with the columns 'day', 'grade'"),
        (table.assign(since="no day"), r'^row 1, column "since": "no day" is no date.*\(rows are counted from 1\)'),
        (table.assign(height=np.where(np.arange(120) == 7, np.inf, 0)), "^row 8, column 'height': Input contains infinity"),
        (table[:0], "the table has no rows"),
        (table.assign(side="\udcff"), r"text that is not Unicode \(surrogates not allowed\): read it with its encoding"),
        (pandas.concat([table, table[["zip"]]], axis=1), "more than one column is called 'zip'"),
    ]:
        with pytest.raises(ValueError, match=message):
            classifier.predict(other)
    for column, message in [
        ([["a", 1]] * 120, "column 'new' holds values of the type list: give lists of numbers or of words, or make a column of each"),
        ([[1.0, np.nan]] * 120, "row 1, column 'new': a number of the vector is not finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            LapSVMClassifier(**GIVEN).fit(table.assign(new=column), y)
    for column, message in [
        ([[1.0, 2.0]] * 119 + [[1.0]], 'left out:\nrow 120, "new": the vector has 1 number, but those before have 2'),
        ([f"Ms {k}" for k in range(120)], 'left out:\n.*"new": 120 different values .*too many for a category'),
        ([f"{k}.5" for k in range(100)] + ["word"] * 20, 'left out:\n.*"new": "word" is not a number'),
    ]:
        with pytest.warns(UserWarning, match=message):
            LapSVMClassifier(**GIVEN).fit(table.assign(new=column), y)
    with pytest.raises(ValueError, match="no column is called \"nothing\"; choose for text among"):
        LapSVMClassifier(text="nothing", **GIVEN).fit(table, y)
    with pytest.raises(ValueError, match="text names columns of a DataFrame"):
        LapSVMClassifier(text="x", **GIVEN).fit(np.eye(3), [0, 1, -1])


def test_what_was_not_in_the_training_is_said(people, fitted):
    table, _, _ = people
    with pytest.warns(UserWarning, match='taken as missing .*column side, in 3 of 3 rows, such as "north"'):
        fitted[0].predict(table[:3].assign(side="north"))
    with pytest.warns(UserWarning, match="far from all training points"):
        fitted[0].predict(table[:3].assign(height=1e6))


def test_lists_of_numbers_are_vectors(people):
    table, truth, y = people
    vectors = np.random.RandomState(1).randn(120, 4).astype("float32") + truth[:, None]
    X = table[["height", "side"]].assign(embedding=list(vectors))
    X.at[7, "embedding"] = None
    classifier = LapSVMClassifier(**GIVEN).fit(X, y)
    assert classifier.columns_ == {"height": "number", "side": "category", "embedding": "vector"}
    quick = classifier.decision_function(X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_estimator, "WORK", -1)
        np.testing.assert_allclose(classifier.decision_function(X.assign(embedding=[None if v is None else list(v) for v in X["embedding"]])), quick, atol=1e-6)


def test_rounded_numbers(people):
    """Numbers that doubles round are doubted, with advice that parameters can follow."""
    table, _, y = people
    with pytest.warns(UserWarning, match="rounded to doubles; give ignore nanos if they name the rows"):
        LapSVMClassifier(**GIVEN).fit(table[["side"]].assign(nanos=1577836800000000000 + np.arange(120) % 9), y)


def test_columns_that_name_rows_are_left_out_and_named(people):
    table, _, y = people
    named = table[["height"]].assign(who=[f"K{k}" for k in range(120)])
    with pytest.warns(UserWarning, match="'who' has another value in every row: it names the rows, and is left out"):
        classifier = LapSVMClassifier(**GIVEN).fit(named, y)
    assert classifier.columns_ == {"height": "number", "who": "id"}
    assert len(classifier.predict(named[["height"]])) == 120
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "the column")
        assert LapSVMClassifier(ignore=["who"], **GIVEN).fit(named, y).columns_["who"] == "dropped"
    codes = pandas.DataFrame({"height": table["height"].fillna(0), "code": np.arange(120) % 7})
    assert LapSVMClassifier(category="code", **GIVEN).fit(codes, y).columns_ == {"height": "number", "code": "category"}


def test_plain_numbers_go_as_points(people, moons):
    X, _, y = moons
    frame = pandas.DataFrame(X, columns=["left", "up"])
    scores = LapSVMClassifier(**GIVEN).fit(X, y).decision_function(X)
    for plain in (frame, frame.astype("Float64"), frame.astype(object)):
        classifier = LapSVMClassifier(**GIVEN).fit(plain, y)
        assert _frames.is_plain(plain) and classifier.columns_ is None
        np.testing.assert_array_equal(classifier.decision_function(plain), scores)
    with pytest.raises(ValueError, match="NaN"):
        classifier.predict(frame.mask(frame.left > 1))
    gaps = LapSVMClassifier(**GIVEN).fit(frame.mask(frame.left > 1.8), y)
    assert gaps.columns_ == {"left": "number", "up": "number"}
    numbered = LapSVMClassifier(**GIVEN).fit(pandas.DataFrame(X).assign(side="a"), y)  # names that are no text
    assert list(numbered.columns_) == ["0", "1", "side"] and not hasattr(numbered, "feature_names_in_")
    np.testing.assert_array_equal(numbered.predict(pandas.DataFrame(X).assign(side="a")), numbered.transduction_)
    assert LapSVMClassifier(**GIVEN).fit(X, y).columns_ is None


def test_lists_of_words_are_a_column_for_each_word(people):
    table, truth, y = people
    tags = [[word for word in ("red", "round", "dark") if (k + len(word)) % 2 == c] for k, c in enumerate(truth)]
    X = table[["height"]].fillna(0).assign(tags=tags)
    X.at[7, "tags"] = None
    classifier = LapSVMClassifier(**GIVEN).fit(X, y)
    assert classifier.columns_ == {"height": "number", "tags": "tags"}
    quick = classifier.decision_function(X)
    other = X.assign(tags=[None if words is None else np.array([*words[::-1], *words], dtype=object) for words in X["tags"]])
    np.testing.assert_array_equal(classifier.decision_function(other), quick)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_estimator, "WORK", -1)
        np.testing.assert_allclose(classifier.decision_function(other), quick, atol=1e-5)  # views of float32
    with pytest.warns(UserWarning, match='column tags, in 1 of 2 rows, such as "green"'):
        classifier.predict(X[:2].assign(tags=[["green"], []]))
    with pytest.raises(ValueError, match="no list of words"):
        classifier.predict(X[:2].assign(tags=["red", None]))


def test_spans_of_time_alone_are_days(people, tmp_path):
    table, truth, y = people
    days = table[["height"]].assign(wait=truth + np.random.RandomState(2).rand(120) / 2)
    spans = days.assign(wait=pandas.to_timedelta(days["wait"], unit="D"))
    for columns in (["height", "wait"], ["wait"]):
        as_days, as_spans = (LapSVMClassifier(**GIVEN).fit(X[columns], y) for X in (days, spans))
        want = as_days.decision_function(days[columns])
        np.testing.assert_allclose(as_spans.decision_function(spans[columns]), want, atol=1e-6)
        as_spans.save(tmp_path / "spans.lapsvm")
        np.testing.assert_allclose(load(tmp_path / "spans.lapsvm").decision_function(spans[columns]), want, atol=1e-6)
    with pytest.raises(ValueError, match="the column 'wait' holds dates, where the training had numbers"):
        load(tmp_path / "spans.lapsvm").predict(days.assign(wait=pandas.Timestamp("2024-01-01")))
