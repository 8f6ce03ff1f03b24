"""The wheel holds the program, is the same each time, and works in a new environment without network.

LAPSVM_LONG builds the program from source, which takes a minute; else it is the one under test.
"""

import os
import platform
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lapsvm import _command

REPOSITORY = Path(__file__).parents[2]

PROGRAM = [] if os.environ.get("LAPSVM_LONG") else [f"PROGRAM={_command.binary()}"]

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
    """Returns what builds a wheel of a program into a folder of its own."""
    for module in ("wheel", "setuptools"):
        pytest.importorskip(module, reason=f"Debian package python3-{module}")
    if not shutil.which("make"):
        pytest.skip("make is not there")

    def make(*arguments, umask=-1, **environment):
        folder = tmp_path_factory.mktemp("wheels")
        subprocess.run(["make", "-C", REPOSITORY, "--no-print-directory", "wheel", f"PYTHON={sys.executable}", f"DIST={folder}", *arguments],
                       check=True, capture_output=True, text=True, umask=umask, env={**os.environ, **environment})
        (wheel,) = folder.glob("*.whl")
        return wheel
    return make


@pytest.fixture(scope="module")
def wheel(build):
    return build(*PROGRAM)


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() != "x86_64", reason="the tag is another")
def test_the_tag_says_that_the_program_needs_no_c_library(wheel):
    assert wheel.name.endswith("-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl")


def test_first_prediction_in_a_new_environment(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.getinfo("lapsvm/bin/lapsvm").external_attr >> 16 & 0o111
        assert "lapsvm/py.typed" in archive.namelist()
        assert not [name for name in archive.namelist() if "test" in name]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--quiet", wheel], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("LAPSVM_BINARY", "PYTHONPATH")}
    out = subprocess.run([python, "-c", FIRST], check=True, capture_output=True, text=True, env=environment, cwd=tmp_path).stdout
    assert out == "a a a b b b\n"


def test_the_same_sources_give_the_same_wheel(build, tmp_path):
    program = tmp_path / "program"
    program.write_bytes(b"any")
    source = PROGRAM and [f"PROGRAM={program}"]  # itself where it is built: that is the same too
    assert build(*source, umask=0o077, TZ="Asia/Tokyo").read_bytes() == build(*source).read_bytes()


def test_other_systems_have_wheels_of_their_own(build, tmp_path):
    program = tmp_path / "program"
    program.write_bytes(b"MZ")
    wheel = build(f"PROGRAM={program}", "GOOS=windows", "GOARCH=amd64")
    assert wheel.name.endswith("-py3-none-win_amd64.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read("lapsvm/bin/lapsvm.exe") == b"MZ"
    with pytest.raises(subprocess.CalledProcessError) as refused:
        build(f"PROGRAM={program}", "GOOS=plan9", "GOARCH=amd64")
    assert "no wheel is made for GOOS=plan9" in refused.value.stderr
