"""The package is as its type hints say, and programs that use it are checked by them."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]

RIGHT = """
import numpy
from numpy.typing import NDArray
from lapsvm import LabelledKFold, LapSVMClassifier, LapSVMRegressor, load

classifier = LapSVMClassifier(kernel="rbf", gamma=0.5, neighbors=6, class_weight={"a": 2.0}).fit(numpy.eye(3), ["a", "b", None])
values: NDArray[numpy.float64] = classifier.predict_proba(numpy.eye(3))
share: float = classifier.score(numpy.eye(3), ["a", "b", "b"])
names: list[str] = load(classifier.model_).classes_
numbers: NDArray[numpy.float64] = LapSVMRegressor(criterion="absolute").fit(numpy.eye(3), [1.5, None, 2]).predict_interval(numpy.eye(3), 0.5)
matrix: NDArray[numpy.int_] = LapSVMClassifier().fit(numpy.eye(3), numpy.eye(3)).predict(numpy.eye(3))
for train, test in LabelledKFold(2).split(numpy.eye(3), [0, 1, -1]):
    train.sum()
"""

WRONG = """
from lapsvm import LapSVMClassifier, load

LapSVMClassifier(sigma=[1]); LapSVMClassifier(neighbour=6); load(3); LapSVMClassifier().predict_proba()
"""


def mypy(*arguments):
    pytest.importorskip("mypy", reason="Debian package mypy")
    return subprocess.run([sys.executable, "-m", "mypy", *map(str, arguments)], cwd=FOLDER, capture_output=True, text=True)


def test_the_package_and_what_uses_it(tmp_path):
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "wrong.py").write_text(WRONG.replace("; ", "\n"))
    out = mypy("--cache-dir", tmp_path / "cache", "lapsvm", tmp_path / "right.py", tmp_path / "wrong.py").stdout
    errors = [line for line in out.splitlines() if ": error: " in line]
    assert len(errors) == 4 and all("wrong.py:" in line for line in errors), out
