"""The program lapsvm: where it is, how it is run, and what its errors become."""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

from joblib import cpu_count

# The exit codes of the program.
USAGE, DATA, INTERRUPTED = 2, 3, 130

GRACE = 5  # seconds that an interrupted program has to end by itself


def binary():
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


def limits(threads, memory):
    """Returns the flags for threads and memory.

    Where threads is None it is OMP_NUM_THREADS, as everywhere in scikit-learn: joblib gives each of its
    processes a part of the processors so. These run at the same time, and where memory is
    None each takes the same part of what is spare.
    """
    part = os.environ.get("OMP_NUM_THREADS", "")
    part = int(part) if part.isdecimal() else 0
    if threads is None and part:
        threads = part
    if memory is None and part and multiprocessing.parent_process() is not None:
        memory = f"{80 / max(1, cpu_count() // part):g}%"
    return [f"--{name}={value}" for name, value in (("threads", threads), ("memory", memory)) if value is not None]


class Progress:
    """Lines of progress, one over the other in a terminal and a notebook, else one after the other."""

    def __init__(self, wanted):
        self.wanted, self.shown = wanted, 0
        stream = sys.stderr
        self.over = wanted and (stream.isatty() or type(stream).__module__.startswith("ipykernel"))

    def show(self, line):
        if not self.wanted:
            return
        line = re.sub(r"^reading [^:,]+", "reading the points", line)  # their file is nobody's
        if self.over:
            sys.stderr.write("\r" + line.ljust(self.shown))
            self.shown = len(line)
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    def done(self):
        if self.shown:
            sys.stderr.write("\r" + " " * self.shown + "\r")
            sys.stderr.flush()
            self.shown = 0


def run(arguments, files, names, verbose=0):
    """Runs the program and returns its standard output.

    files are those that the arguments have the paths of, which are left out of what the
    program says; names are the parameters that it calls by their flags. Warnings of the
    program are warnings here. Bad data and parameters raise ValueError, other failures
    RuntimeError, with the program's text; an interruption ends the program and raises
    KeyboardInterrupt. The program's line of progress every second, shown or not, ends it
    where this process is no more.
    """
    command = [binary(), *arguments, "--progress", "plain"]
    progress, failure = Progress(verbose), []
    with open(files.path("stdout"), "w+b") as stdout:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              pass_fds=files.descriptors(), encoding="utf-8", errors="replace") as process:
            try:
                for line in process.stderr:
                    line = line.rstrip("\n")
                    if line.startswith("lapsvm: ") or failure:
                        failure.append(line)
                    elif line.startswith("warning: "):
                        progress.done()
                        warnings.warn(_worded(line[len("warning: "):], files, names), stacklevel=4)
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
    if code in (USAGE, DATA):
        raise ValueError(text)
    raise RuntimeError(text or f"the program lapsvm ended by itself ({'signal' if code < 0 else 'code'} {abs(code)})")


def _end(process):
    """Ends a program that runs, by force where it does not end by itself."""
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _worded(text, files, names):
    """Returns a text of the program without the paths of files, and with parameters for flags."""
    for path in files.paths:
        text = re.sub(re.escape(path) + r"\b: ", "", text)
        text = re.sub(re.escape(path) + r"\b", "the file", text)
    text = text.replace("; --drift FILE.json writes all of it", "")
    if re.search(r"\brows? \d", text):
        text += " (rows are counted from 1)"

    def parameter(flag):
        name = flag.group(1).replace("-", "_")
        return name if name in names else flag.group(0)

    return re.sub(r"--([a-z][a-z-]*)", parameter, text)
