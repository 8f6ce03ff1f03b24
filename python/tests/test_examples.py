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
    shares = names["errors"](names["MODELS"][OURS])
    assert shares[0] < 0.15 and shares[-1] < 0.1, shares


@long
def test_boundaries_are_as_good_as_those_of_label_spreading():
    names = example("boundary")
    ours, spreading = (names["errors"](names["MODELS"][name]) for name in (OURS, "LabelSpreading"))
    assert all(ours[share] <= spreading[share] + 0.01 for share in ours), (ours, spreading)
