"""What a call in Python takes over the command that it runs: medians of five, in turn.

    python3 python/benchmarks/overhead.py
"""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from lapsvm import LapSVMClassifier, _command  # noqa: E402

GIVEN = dict(sigma=3.0, neighbours=6, gamma_a=0.01, gamma_i=1, laplacian_degree=1, standardise="none", solver="landmarks", landmarks=100, compact=True)


def processor():
    """Returns the processor seconds of this process and of those that it ran."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def taken(call):
    """Returns processor and wall time of a call in milliseconds."""
    before, began = processor(), time.perf_counter()
    call()
    return 1e3 * (processor() - before), 1e3 * (time.perf_counter() - began)


def command(*arguments):
    subprocess.run([_command.binary(), *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    warnings.simplefilter("ignore")  # of points that are noise
    flags = [f"--{name.replace('_', '-')}={str(value).lower()}" for name, value in GIVEN.items()]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").exists() else None) as folder:
        data, points, model, out = (f"{folder}/{name}" for name in ("data.npz", "points.npz", "m.lapsvm", "out.npz"))
        for rows, features in ((500, 2), (20_000, 100)):
            X = np.random.RandomState(0).rand(rows, features)
            y = np.where(np.arange(rows) < 20, np.arange(rows) % 2, -1)
            classifier = LapSVMClassifier(**GIVEN).fit(X, y)
            np.savez(data, X=X, y=np.where(y < 0, "", y.astype(str)))
            np.savez(points, X=X)
            calls = {
                "fit": lambda: classifier.fit(X, y),
                "lapsvm train": lambda: command("train", data, "-o", model, "--transduction", out, "--json", *flags),
                "predict": lambda: classifier.predict(X),
                "lapsvm predict": lambda: command("predict", model, points, "--scores", "-o", out),
            }
            times = {name: [] for name in calls}
            for _ in range(5):
                for name, call in calls.items():
                    times[name].append(taken(call))
            for name, all in times.items():
                print(f"{rows} × {features}\t{name}\tprocessor {statistics.median(t[0] for t in all):.0f} ms\twall {statistics.median(t[1] for t in all):.0f} ms")


if __name__ == "__main__":
    main()
