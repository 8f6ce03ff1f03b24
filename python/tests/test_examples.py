"""The examples beside the manual run; LAPSVM_LONG runs those too that take some seconds."""

import os
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
OURS = "LapSVMClassifier"
long = pytest.mark.skipif(not os.environ.get("LAPSVM_LONG"), reason="LAPSVM_LONG is not set")

pytestmark = pytest.mark.filterwarnings("ignore")


def example(name):
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


@pytest.mark.parametrize("name", ["circles", "text", pytest.param("threshold", marks=long)])
def test_fewest_errors(name):
    errors = example(name)["errors"]()
    assert errors[OURS] < 0.35 and errors[OURS] == min(errors.values()), errors


@long
def test_digits_are_learnt_actively():
    names = example("digits")
    ours, spreading = (names["errors"](names["MODELS"][name]) for name in (OURS, "LabelSpreading"))
    assert ours[0] < spreading[0] and ours[-1] < spreading[-1] < 0.1, (ours, spreading)


@long
def test_boundaries_with_few_labels_are_better_than_those_of_label_spreading():
    names = example("boundary")
    ours, spreading = (names["errors"](names["MODELS"][name]) for name in (OURS, "LabelSpreading"))
    assert ours[min(ours)] < spreading[min(ours)], (ours, spreading)
