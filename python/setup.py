"""The tag of wheels: those that hold the program run on its platform alone."""

from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

HOLDS_PROGRAM = (Path(__file__).parent / "lapsvm" / "bin" / "lapsvm").exists()

# The program is linked statically, so that it runs with every C library.
PLATFORM = "manylinux2014_x86_64.musllinux_1_1_x86_64"


class Wheel(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", PLATFORM if HOLDS_PROGRAM else "any")


class Binary(Distribution):
    def has_ext_modules(self):
        return HOLDS_PROGRAM


setup(cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
