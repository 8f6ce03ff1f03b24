"""The modules of the package import one another without a circle, imports within functions and for type hints included."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "lapsvm"


def imported(file):
    """Yields the names of the package's modules that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = ".".join(filter(None, ["lapsvm" if node.level else "", node.module]))
            names = [home, *(f"{home}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name.removeprefix("lapsvm.") for name in names if name.startswith("lapsvm."))


def test_no_circle():
    files = {file.stem: file for file in FOLDER.glob("*.py")}
    graph = {name: files.keys() & imported(file) for name, file in files.items()}
    assert graph["_estimator"] >= {"_command", "_files", "_model"}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the modules of a circle
