"""The program lapsvm: where it is, how it is run, and what its errors become."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Container

from joblib import cpu_count

from . import errors
from ._files import Files

# The exit codes of the program.
USAGE, DATA, INTERRUPTED = 2, 3, 130

# Advice of the program that parameters cannot follow, and what is said in its place. Labels are no column here, methods have the names of commands, and names of rows are not kept.
COLUMN = r"('[^']*'|[^\s,;)]+)"
ELSEWHERE = [
    (r"^--(set|interval): ", ""),
    (r"^-n ", "n "),
    (r", and lapsvm label asks for them on a page", ""),
    (r"lapsvm evaluate", "cross_val_score with cv=LabelledKFold()"),
    (r"\blapsvm (suggest|audit|predict)( --regression)?\b", r"\1"),
    (r"--interval 0\.9 says", "predict_interval says"),
    (r"--proba says", "predict_proba says"),
    (r"; --drift FILE\.json writes [^;]*", ""),
    (r"if the column holds the labels, give --label " + COLUMN + ", else ", "give "),
    (r"; if the column holds the labels, give --label " + COLUMN, ""),
    (r"--id " + COLUMN + "(, | or )", ""),
]

GRACE = 5  # seconds that an interrupted program has to end by itself


def binary() -> str:
    """Returns the path of the program: LAPSVM_BINARY, else that of the package, else that of PATH.

    Raises FileNotFoundError, which says how to get it, where there is none.
    """
    ending = ".exe" if os.name == "nt" else ""
    given = os.environ.get("LAPSVM_BINARY")
    if given:
        if not os.path.isfile(given) and os.path.isfile(given + ending):
            given += ending
        if not os.path.isfile(given) or not os.access(given, os.X_OK):
            raise FileNotFoundError(f"LAPSVM_BINARY is {given}, where there is no program")
        return given
    packaged = Path(__file__).parent / "bin" / ("lapsvm" + ending)
    found = str(packaged) if packaged.exists() else shutil.which("lapsvm")
    if not found:
        raise FileNotFoundError(
            "the program lapsvm was not found: install a wheel that contains it (make wheel in the repository), "
            "or build it (go install ./cmd/lapsvm) and put it into PATH or its path into LAPSVM_BINARY")
    return found


def limits(threads: int | None, memory: str | None) -> list[str]:
    """Returns the flags for threads and memory.

    Where threads is None it is OMP_NUM_THREADS, as everywhere in scikit-learn: joblib gives each of its
    processes a part of the processors so. These run at the same time, and where memory is
    None each takes the same part of what is spare.
    """
    share = os.environ.get("OMP_NUM_THREADS", "")
    part = int(share) if share.isdecimal() else 0
    if threads is None and part:
        threads = part
    if memory is None and part and multiprocessing.parent_process() is not None:
        memory = f"{80 / max(1, cpu_count() // part):g}%"
    given: dict[str, int | str | None] = {"threads": threads, "memory": memory}
    return [f"--{name}={value}" for name, value in given.items() if value is not None]


class Progress:
    """Lines of progress, one over the other in a terminal and a notebook, else one after the other."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.shown = wanted, 0
        stream = sys.stderr
        self.over = wanted and (stream.isatty() or type(stream).__module__.startswith("ipykernel"))

    def show(self, line: str) -> None:
        if not self.wanted:
            return
        line = re.sub(r"^reading [^:,]+", "reading the points", line)  # their file is nobody's
        if self.over:
            sys.stderr.write("\r" + line.ljust(self.shown))
            self.shown = len(line)
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def done(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()
            self.shown = 0


def run(arguments: list[str], files: Files, names: Container[str], verbose: int = 0) -> bytes:
    """Runs the program and returns its standard output.

    files are those that the arguments have the paths of, which are left out of what the
    program says; names are the parameters that it calls by their flags. Warnings of the
    program are warnings here. Failures raise those of errors, with the program's text; an interruption ends the program and raises
    KeyboardInterrupt. The program's line of progress every second, shown or not, ends it
    where this process is no more.
    """
    command = [binary(), *arguments, "--progress", "plain", "--json"]
    progress = Progress(verbose)
    failure: list[str] = []
    with open(files.path("stdout"), "w+b") as stdout:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              pass_fds=files.descriptors(), encoding="utf-8", errors="replace") as process:
            try:
                assert process.stderr
                warning: list[str] = []  # and the lines that follow it, which are indented
                for said in itertools.chain(process.stderr, [None]):
                    line = (said or "").rstrip("\n")
                    if warning and line.startswith("  "):
                        warning.append(line.strip())
                        continue
                    if warning:
                        progress.done()
                        warnings.warn(_worded("\n".join(warning), files, names), stacklevel=4)
                        warning = []
                    if said is None:
                        break
                    if line.startswith("lapsvm: ") or failure:
                        failure.append(line)
                    elif line.startswith("warning: "):
                        warning = [line[len("warning: "):]]
                    else:
                        progress.show(line)
                code = process.wait()
            except BaseException:
                _end(process)
                raise
            finally:
                progress.done()
        stdout.seek(0)
        output = stdout.read()
    if code == 0:
        return output
    text = _worded("\n".join(failure).removeprefix("lapsvm: "), files, names)
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    report = _said(output)
    kind = errors.BY_CODE.get(str(report.get("code")), {USAGE: errors.ParameterError, DATA: errors.DataError}.get(code, errors.ProgramError))
    text = text or f"the program lapsvm ended by itself ({'signal' if code < 0 else 'code'} {abs(code)})"
    raise kind(_worded(report.get("fault", ""), files, names) or text, _worded(report.get("advice", ""), files, names), text)


def _said(output: bytes) -> dict[str, str]:
    """Returns what the last line of the program's output says of its failure, nothing where it says nothing."""
    try:
        said = json.loads(output.rsplit(b"\n", 2)[-2])
    except (ValueError, LookupError):
        return {}
    return said if isinstance(said, dict) else {}


def _end(process: subprocess.Popen[Any]) -> None:
    """Ends a program that runs, by force where it does not end by itself."""
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _worded(text: str, files: Files, names: Container[str]) -> str:
    """Returns a text of the program without the paths of files, and with parameters for flags."""
    for path in files.paths:
        text = re.sub(re.escape(path) + r":(\d+)(:\d+)?: ", r"row \1, ", text)  # of JSON lines
        text = re.sub(re.escape(path) + r"\b: ", "", text)
        text = re.sub(re.escape(path) + r"\b", "the file", text)
    text = elsewhere(text, names)
    if re.search(r"\brows? \d", text):
        text += " (rows are counted from 1)"
    return text


def elsewhere(text: str, names: Container[str]) -> str:
    """Returns a text of the program with methods for commands, and with parameters for flags."""
    for pattern, instead in ELSEWHERE:
        text = re.sub(pattern, instead, text)

    def parameter(flag: re.Match[str]) -> str:
        name = flag.group(1).replace("-", "_")
        return name if name in names else flag.group(0)

    return re.sub(r"--([a-z][a-z-]*)", parameter, text)
