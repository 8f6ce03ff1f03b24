"""The tag of wheels: those that hold the program run on its platform alone, which GOOS and GOARCH name."""

import os
from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

HOLDS_PROGRAM = any((Path(__file__).parent / "lapsvm").glob("bin/lapsvm*"))

# The program needs no C library, and of systems what Go needs: Linux 3.2, macOS 12, Windows 10.
PLATFORMS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}


def platform():
    """Returns the tag of the program's platform. Ends with a list where it has none."""
    asked = os.environ.get("GOOS"), os.environ.get("GOARCH")
    if asked not in PLATFORMS:
        raise SystemExit(f"no wheel is made for GOOS={asked[0]} GOARCH={asked[1]}: choose of "
                         + ", ".join("/".join(known) for known in PLATFORMS))
    return PLATFORMS[asked]


class Wheel(bdist_wheel):
    def get_tag(self):
        return "py3", "none", platform() if HOLDS_PROGRAM else "any"


class Binary(Distribution):
    def has_ext_modules(self):
        return HOLDS_PROGRAM


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
