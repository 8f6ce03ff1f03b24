"""The page of a training."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Container

from . import _command


class Report:
    """The page of a training, which a notebook shows and save writes. Its HTML is in text."""

    def __init__(self, text: str, names: Container[str]) -> None:
        """Keeps a page of the program, in whose text parameters of these names stand for flags."""
        self.text = re.sub(r"(?s)<style.*?</style>|(?<=>)[^<]+", lambda part: part[0] if part[0].startswith("<style") else _command.elsewhere(part[0], names), text)

    def _repr_html_(self) -> str:
        # A frame, so that neither styles the other. Nothing in it may run.
        return f'<iframe sandbox title="Report of the training" style="width:100%;height:46rem;border:0" srcdoc="{html.escape(self.text)}"></iframe>'

    def __repr__(self) -> str:
        return f"<report of a training, {len(self.text)} characters of HTML; save(path) writes it>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, such as report.html."""
        Path(path).write_text(self.text, encoding="utf-8")
