"""Reports of trainings."""

import html
import re

import numpy as np
from sklearn.base import clone

from lapsvm import LapSVMClassifier, LapSVMRegressor


def test_a_notebook_shows_the_report(moons, given, tmp_path):
    X, truth, y = moons
    machine = LapSVMClassifier(report=True, **given).fit(X, y)
    shown = machine.report_._repr_html_()
    page = html.unescape(re.fullmatch(r'<iframe sandbox [^>]*srcdoc="([^"]*)"></iframe>', shown).group(1))
    assert page == machine.report_.text and page.startswith("<!DOCTYPE html>") and "Map of the points" in page and "<script" not in page
    assert "Training on data of another program" in page and "/proc/self" not in page and "To repeat it" not in page
    machine.report_.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page
    assert len(repr(machine.report_)) < 100
    assert clone(machine).report
    machine.set_params(report=False).fit(X, y)
    assert not hasattr(machine, "report_")
    assert_speaks_of_methods(page)


def test_numbers_have_a_report(moons):
    X, _, _ = moons
    machine = LapSVMRegressor(report=True).fit(X[:60], np.where(np.arange(60) % 2, X[:60, 0], np.nan))
    assert "How large the numbers are" in machine.report_.text
    assert_speaks_of_methods(machine.report_.text)


def assert_speaks_of_methods(page):
    """Fails where the text of a page names a command or a flag of the shell."""
    text = re.sub(r"(?s)<style.*?</style>|<[^>]+>", " ", page)
    assert re.findall(r"lapsvm [a-z]+|--[a-z][a-z-]*", text) == [] and "suggest names rows" in text and "(empty)" not in text
