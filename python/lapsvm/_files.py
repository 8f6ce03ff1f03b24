"""Files that the program reads and writes: points, models and results."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Sequence
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ._points import Rows

SHARED_MEMORY = "/dev/shm"
DESCRIPTORS = "/proc/self/fd"  # where a system has it, open files have paths without having names


class Files:
    """Files for one run of the program, in shared memory where that has room for size bytes, else on disk.

    On Linux they have no names: whatever ends this process or the program, the system takes
    them back. Elsewhere they lie in a temporary folder, which is removed at the end.
    """

    def __init__(self, size: int) -> None:
        self.paths: list[str] = []
        self._open: list[int] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._place = SHARED_MEMORY if _free(SHARED_MEMORY) > size else None
        if not os.path.isdir(DESCRIPTORS):
            self._folder = tempfile.TemporaryDirectory(prefix="lapsvm-", dir=self._place)

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        for number in self._open:
            os.close(number)
        if self._folder:
            self._folder.cleanup()

    def path(self, name: str) -> str:
        """Returns the path of a new file, empty or not there yet, for this process and the program."""
        if self._folder:
            path = os.path.join(self._folder.name, name)
        else:
            from fcntl import F_DUPFD_CLOEXEC, fcntl  # not on Windows
            with tempfile.TemporaryFile(dir=self._place) as file:
                self._open.append(fcntl(file, F_DUPFD_CLOEXEC, 3))  # 0 to 2, which may be closed here, are the program's own
            path = f"{DESCRIPTORS}/{self._open[-1]}"
        self.paths.append(path)
        return path

    def descriptors(self) -> list[int]:
        """Returns the numbers of the open files, which the program is to inherit."""
        return self._open


def _free(folder: str) -> int:
    try:
        return shutil.disk_usage(folder).free if os.access(folder, os.W_OK) else 0
    except OSError:
        return 0  # there is none


def size(X: Rows) -> int:
    """Returns the bytes that points take in a file."""
    if sparse.issparse(X):
        return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)
    return int(X.nbytes)


def write_edges(path: str, edges: Any, rows: int) -> str:
    """Writes the weights of edges between rows as a sparse matrix, and returns the path."""
    matrix = sparse.csr_matrix(edges, dtype=float)
    if matrix.shape != (rows, rows):
        raise ValueError(f"edges has the shape {matrix.shape}, but X has {rows} rows: give a row and a column for each")
    if not np.isfinite(matrix.data).all():
        raise ValueError("edges has a weight that is no finite number")
    matrix.sum_duplicates()
    with open(path, "wb") as file:
        sparse.save_npz(file, matrix)
    return path


def write_points(path: str, X: Rows, y: NDArray[Any] | None = None, names: Sequence[str] | None = None) -> None:
    """Writes points, dense or CSR, the labels of their rows and the names of their columns, as npz."""
    arrays: dict[str, Any] = {"X": X}
    if sparse.issparse(X):
        if not X.has_canonical_format:
            X = X.copy()  # the caller's stays as it is
            X.sum_duplicates()
        arrays = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape), "format": np.array(b"csr")}
    if y is not None:
        arrays["y"] = y
    if names is not None:
        arrays["feature_names"] = names
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def read_columns(path: str) -> list[NDArray[Any]]:
    """Returns the arrays of a file of results, in their order. Raises RuntimeError where there are none."""
    try:
        with np.load(path) as archive:
            return [archive[name] for name in archive.files]
    except (ValueError, OSError, EOFError, AttributeError, TypeError, BadZipFile) as error:
        raise RuntimeError("the program ended well and left no results: LAPSVM_BINARY, or the PATH, names another program than lapsvm") from error


def read(path: str) -> bytes:
    """Returns the bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def write(path: str, data: bytes) -> None:
    """Writes the bytes of a file."""
    with open(path, "wb") as file:
        file.write(data)
