"""A DataFrame gives the model that the command makes of the CSV of it, and both give the same values to its rows."""

import csv
import datetime
import json
import subprocess

import numpy as np
import pandas
import pytest

from lapsvm import LapSVMClassifier, _command, load


def people():
    """Returns a DataFrame of columns of every kind, with gaps."""
    random, n = np.random.RandomState(3), 90
    truth = np.arange(n) % 2
    table = pandas.DataFrame({
        "height": random.randn(n) + truth, "visits": pandas.array(random.randint(0, 9, n), dtype="Int64"), "member": pandas.array(random.rand(n) > 0.5, dtype="boolean"),
        "whole": random.rand(n) > 0.5, "single": (np.round(8 * random.randn(n)) / 8).astype("float32"),
        "side": np.where(random.rand(n) < 0.3, "east", "west"), "zip": pandas.Categorical(np.where(random.rand(n) < 0.3, "B01532", "A1001")),
        "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(random.randint(0, 10**7, n), unit="s"),
        "zoned": pandas.Timestamp("2020-01-01", tz="Europe/Berlin") + pandas.to_timedelta(random.randint(0, 900, n), unit="h"),
        "day": [datetime.date(1899, 1, 1) + datetime.timedelta(int(k)) for k in random.randint(0, 60000, n)],
        "woke": [datetime.time(int(h), int(m), int(s)) for h, m, s in zip(random.randint(0, 24, n), random.randint(0, 60, n), random.randint(0, 60, n))],
        "paid": [f"${v:,.2f}" for v in random.rand(n) * 5000], "share": [f"{v}%" for v in random.randint(0, 100, n)],
        "tags": [[word for word in ("red", "round", "ünique, \"dark\"") if random.rand() < 0.4 + 0.2 * k] for k in truth],
        "post": ["the " + " ".join(random.choice(["cat", "dog", "naïve", "day"], 3)) for _ in range(n)]})
    for k, name in enumerate(table.columns):
        if name not in ("whole",):
            table.loc[3 + k, name] = None
    return table, truth


def counts():
    """Returns a DataFrame of counts of words, of which few are not 0."""
    random, n = np.random.RandomState(4), 80
    truth = np.arange(n) % 2
    X = random.poisson(0.01 + 0.08 * ((np.arange(240) % 2)[None, :] == truth[:, None]), (n, 240))
    return pandas.DataFrame(X, columns=[f"w{k:03d}" for k in range(240)]), truth


def measured():
    """Returns rows of few values other than 0, one of which is negative in a column."""
    table, truth = counts()
    return table.assign(w000=np.where(np.arange(80) == 7, -1, table.w000)), truth


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", [{}, {"gamma_a": 0.01, "gamma_i": 1, "neighbours": 6}], ids=["chosen", "given"])
@pytest.mark.parametrize("make", [people, counts, measured])
def test_a_table_and_the_csv_of_it_give_one_model(make, given, tmp_path, program):
    table, truth = make()
    table = table[sorted(table.columns)]  # as those of rows that are objects
    y = [("yes", "no")[k] if i < 30 else None for i, k in enumerate(truth)]
    rows, model, out = (str(tmp_path / name) for name in ("rows.csv", "model.lapsvm", "out.csv"))
    flat = table.assign(tags=[None if words is None else json.dumps(words) for words in table["tags"]]) if "tags" in table else table
    flat.assign(label=y).to_csv(rows, index=False)
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    subprocess.run([_command.binary(), "train", rows, "-o", model, "--label=label", *flags], check=True, capture_output=True)
    subprocess.run([_command.binary(), "predict", model, rows, "-o", out, "--scores"], check=True, capture_output=True)
    classifier = LapSVMClassifier(**given).fit(table, y)
    theirs, ours = load(model), load(classifier.model_)
    if ours.encoding:
        assert ours.encoding["columns"] == theirs.encoding["columns"]
    with open(out, newline="") as file:
        answers = list(csv.DictReader(file))
    assert classifier.predict(table).tolist() == [row["label"] for row in answers]
    scores = [float(row["score"]) for row in answers]
    np.testing.assert_array_equal(classifier.decision_function(table), scores)
