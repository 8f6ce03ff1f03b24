"""Time and errors of fit, beside those of scikit-learn's semi-supervised classifiers.

    python3 python/benchmarks/fit.py moons --rows 500,5000,20000
    python3 python/benchmarks/fit.py train-images-idx3-ubyte.gz --rows 500,5000,20000 --scale 255

Every fit has a process of its own, with a limit of memory and of time. Rows and labels are drawn by
a seed, the same for all; the error is that on the rows without a label.
"""

import argparse
import json
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

METHODS = ("lapsvm", "LabelSpreading rbf", "LabelSpreading knn", "LabelSpreading knn far", "SelfTraining SVC", "SVC alone")


def classifier(method):
    from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
    from sklearn.svm import SVC

    from lapsvm import LapSVMClassifier
    return {
        "lapsvm": lambda: LapSVMClassifier(),
        "LabelSpreading rbf": lambda: LabelSpreading(),
        "LabelSpreading knn": lambda: LabelSpreading(kernel="knn"),
        "LabelSpreading knn far": lambda: LabelSpreading(kernel="knn", alpha=0.99, max_iter=1000),
        "SelfTraining SVC": lambda: SelfTrainingClassifier(SVC(probability=True)),
        "SVC alone": lambda: SVC(),
    }[method]()


def data(options, folder):
    """Returns points and classes of a file that the program reads, or of a generated set."""
    if options.data == "moons":
        from sklearn.datasets import make_moons
        return make_moons(max(options.rows), noise=0.15, random_state=1)
    from scipy import sparse

    from lapsvm import _command
    path = Path(folder) / "data.npz"
    subprocess.run([_command.binary(), "convert", options.data, path, "--quiet"], check=True)
    with np.load(path) as archive:
        y = archive["y"]
        if "X" in archive:
            return archive["X"].astype(np.float32) / options.scale, y
        return sparse.csr_matrix(tuple(archive[k] for k in ("data", "indices", "indptr")), archive["shape"]) / options.scale, y


def drawn(X, truth, rows, per_class, seed):
    """Returns rows of the data, their classes by number, and y with so many labels of each."""
    random = np.random.RandomState(seed)
    chosen = random.permutation(X.shape[0])[:rows]
    X, truth = X[chosen], np.unique(truth[chosen], return_inverse=True)[1]
    y = np.full(len(truth), -1)
    for c in range(truth.max() + 1):
        of_class = np.flatnonzero(truth == c)[:per_class]
        y[of_class] = c
    return X, truth, y


def fit(method, X, truth, y):
    """Returns processor and wall seconds of one fit, and the error in percent."""
    warnings.simplefilter("ignore")
    model, start, began = classifier(method), processor(), time.perf_counter()
    if method == "SVC alone":
        model.fit(X[y >= 0], y[y >= 0])
    else:
        model.fit(X, y)
    wall, used = time.perf_counter() - began, processor() - start
    decided = model.transduction_ if method.startswith(("lapsvm", "LabelSpreading")) else model.predict(X)
    return dict(processor=used, wall=wall, error=100 * (decided != truth)[y < 0].mean())


def processor():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="moons, or a file that lapsvm reads")
    parser.add_argument("--rows", type=lambda text: [int(n) for n in text.split(",")], default=[500])
    parser.add_argument("--per-class", type=int, default=5, help="labels of each class")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1, help="divisor of all values")
    parser.add_argument("--methods", type=lambda text: text.split(","), default=METHODS)
    parser.add_argument("--memory", type=float, default=8, help="limit of a fit in GB")
    parser.add_argument("--limit", type=float, default=900, help="limit of a fit in seconds")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)  # a method and a file of one draw
    options = parser.parse_args()
    if options.one:
        resource.setrlimit(resource.RLIMIT_DATA, (int(options.memory * 1e9),) * 2)
        method, path = options.one
        print(json.dumps(fit(method, *np.load(path, allow_pickle=True)["draw"])))
        return
    with tempfile.TemporaryDirectory() as folder:
        X, truth = data(options, folder)
        for rows in options.rows:
            results = {method: [] for method in options.methods}
            for seed in range(options.draws):
                path, draw = Path(folder) / "draw.npz", np.empty(3, object)
                draw[:] = drawn(X, truth, rows, options.per_class, seed)
                np.savez(path, draw=draw)
                for method in options.methods:
                    command = [sys.executable, __file__, options.data, "--memory", str(options.memory), "--one", method, str(path)]
                    try:
                        ran = subprocess.run(command, capture_output=True, text=True, timeout=options.limit)
                        results[method].append(json.loads(ran.stdout) if ran.returncode == 0 else ran.stderr.splitlines()[-1])
                    except subprocess.TimeoutExpired:
                        results[method].append(f"not done in {options.limit:.0f} s")
            for method, draws in results.items():
                told = [r for r in draws if isinstance(r, str)]
                print(f"{options.data}\t{rows}\t{method}\t", told[0] if told else "\t".join(
                    f"{name} {statistics.mean(r[name] for r in draws):.3g}" for name in draws[0]), sep="", flush=True)


if __name__ == "__main__":
    main()
