"""The examples of the manual's page run, one after the other, in an empty folder."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "manual" / "python.md"


def test_examples(tmp_path, monkeypatch):
    text = PAGE.read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) >= 5
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 1
        exec(compile("\n" * line + block.group(1), str(PAGE), "exec"), names)  # lines as on the page
