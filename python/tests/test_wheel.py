"""The wheel holds the program, is the same each time, and works in a new environment without network."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lapsvm import _command

REPOSITORY = Path(__file__).parents[2]

FIRST = """
import numpy, os, lapsvm
from lapsvm import _command
assert _command.binary().startswith(os.path.dirname(lapsvm.__file__)), _command.binary()
X = numpy.array([[0, 0], [0, 1], [1, 0], [5, 5], [5, 6], [6, 5]], dtype=numpy.float32)
classifier = lapsvm.LapSVMClassifier(sigma=1, neighbours=2).fit(X, ["a", None, None, "b", None, None])
print(*classifier.predict(X))
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Returns what builds a wheel of the program under test into a folder of its own."""
    for module in ("wheel", "setuptools"):
        pytest.importorskip(module, reason=f"Debian package python3-{module}")
    if not shutil.which("make"):
        pytest.skip("make is not there")

    def make(name):
        folder = tmp_path_factory.mktemp(name)
        subprocess.run(["make", "-C", REPOSITORY, "--no-print-directory", "wheel", f"PYTHON={sys.executable}", f"DIST={folder}", f"PROGRAM={_command.binary()}"],
                       check=True, capture_output=True, text=True)
        (wheel,) = folder.glob("*.whl")
        return wheel
    return make


def test_first_prediction_in_a_new_environment(build, tmp_path):
    wheel = build("first")
    assert wheel.name.endswith("-py3-none-manylinux2014_x86_64.musllinux_1_1_x86_64.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.getinfo("lapsvm/bin/lapsvm").external_attr >> 16 & 0o111
        assert not [name for name in archive.namelist() if "test" in name]
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--no-index", "--quiet", wheel], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("LAPSVM_BINARY", "PYTHONPATH")}
    out = subprocess.run([python, "-c", FIRST], check=True, capture_output=True, text=True, env=environment, cwd=tmp_path).stdout
    assert out == "a a a b b b\n"


def test_the_same_sources_give_the_same_wheel(build):
    assert len({hashlib.sha256(build(name).read_bytes()).digest() for name in ("one", "two")}) == 1
