"""Regression by lapsvm and by the usual rivals of scikit-learn, as a table in Markdown.

    python3 lab/compare/regression.py --program lapsvm --labels 10,20,50,100 --draws 5 > table.md

Sets are those of scikit-learn, and generated ones whose truth is known without noise. Each draw keeps some labels
and scores the root mean squared error at the other rows, against the truth. Every method sees the same rows and labels.
"alone" is lapsvm on the labelled rows. The last columns say how often intervals of 90 % hold the noisy label, and how
wide they are. The ratio of lapsvm to alone is the geometric mean over the draws. A bracket is a standard error.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np
from sklearn import datasets
from sklearn.ensemble import RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import StandardScaler


def sheet(rng, rows, outliers):
    """A rolled sheet with the turn as its number. With outliers a tenth of the labels is far off."""
    turn = 1.5 * np.pi * (1 + 2 * rng.random(rows))
    points = np.column_stack([turn * np.cos(turn), 21 * rng.random(rows), turn * np.sin(turn)])
    far = outliers * (rng.random(rows) < 0.1) * 10 * rng.normal(size=rows)
    return points + 0.3 * rng.normal(size=points.shape), turn + 0.2 * rng.normal(size=rows) + far, turn


def circle(rng, rows):
    """The sine of three times the angle on a circle, which is turned into five columns."""
    angle = 2 * np.pi * rng.random(rows)
    plane = np.linalg.qr(rng.normal(size=(5, 5)))[0][:2]
    points = np.column_stack([np.cos(angle), np.sin(angle)]) @ plane
    truth = np.sin(3 * angle)
    return points + 0.1 * rng.normal(size=points.shape), truth + 0.1 * rng.normal(size=rows), truth


def heavy(rng, rows):
    """The sine of a column with half of Student's noise of two degrees of freedom."""
    x = rng.normal(size=(rows, 1))
    truth = np.sin(2 * x[:, 0])
    return x, truth + 0.5 * rng.standard_t(2, size=rows), truth


def known(load, column):
    """A set of scikit-learn, of which at most so many rows are drawn, with one of its targets."""

    def make(rng, rows):
        data = load()
        order = rng.permutation(len(data.data))[:rows]
        target = data.target if data.target.ndim == 1 else data.target[:, column]
        return data.data[order], target[order].astype(float), target[order].astype(float)

    return make


SETS = {
    "rolled sheet": lambda rng, rows: sheet(rng, rows, 0),
    "sheet, outliers": lambda rng, rows: sheet(rng, rows, 1),
    "circle": circle,
    "heavy tails": heavy,
    "diabetes": known(datasets.load_diabetes, 0),
    "linnerud, weight": known(datasets.load_linnerud, 0),
    "linnerud, waist": known(datasets.load_linnerud, 1),
}


def process(seed):
    kernel = ConstantKernel(1) * RBF(1) + WhiteKernel(0.1)
    return GaussianProcessRegressor(kernel, normalize_y=True, n_restarts_optimizer=1, random_state=seed)


def rivals(x, rows, y, seed):
    """The predictions of all rows by every rival. Columns are z-scores."""
    x = StandardScaler().fit_transform(x)
    some, middle = x[rows], y.mean()
    folds = KFold(min(5, len(y)), shuffle=True, random_state=seed)

    def searched(model, grid):
        return GridSearchCV(model, grid, cv=folds, scoring="neg_mean_squared_error")

    near = [k for k in (1, 2, 3, 5, 8) if k <= len(y) * 4 // 5]
    wide = {"alpha": np.logspace(-4, 1, 6), "gamma": np.logspace(-2, 1, 7)}
    yield "ridge", RidgeCV(np.logspace(-4, 4, 17)).fit(some, y).predict(x)
    yield "kernel ridge", searched(KernelRidge(kernel="rbf"), wide).fit(some, y - middle).predict(x) + middle
    yield "Gaussian process", process(seed).fit(some, y).predict(x)
    yield "kNN", searched(KNeighborsRegressor(), {"n_neighbors": near}).fit(some, y).predict(x)
    yield "forest", RandomForestRegressor(200, random_state=seed).fit(some, y).predict(x)
    yield "self-training", trained_by_itself(x, rows, y, seed)
    yield "mean", np.full(len(x), middle)


def trained_by_itself(x, rows, y, seed):
    """A Gaussian process that takes the surest tenth of the rows as labelled, five times."""
    labels = dict(zip(rows, y))
    for _ in range(5):
        rest = [i for i in range(len(x)) if i not in labels]
        if not rest:
            break
        told, doubt = process(seed).fit(x[list(labels)], list(labels.values())).predict(x[rest], return_std=True)
        for k in np.argsort(doubt)[: max(1, len(x) // 10)]:
            labels[rest[k]] = told[k]
    return process(seed).fit(x[list(labels)], list(labels.values())).predict(x)


def lapsvm(program, folder, x, rows, y, *flags):
    """The value and the interval of 90 % of all rows, as the program has them with nothing said but the flags."""
    data, model, out = (os.path.join(folder, name) for name in ("data.npz", "m.lapsvm", "out.csv"))
    labels = np.full(len(x), np.nan)
    labels[rows] = y
    np.savez(data, X=x, y=labels)
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([program, "train", data, "--regression", "-o", model, "--quiet", *flags], **quiet)
    subprocess.run([program, "predict", model, data, "--interval", "0.9", "-o", out, "--quiet"], **quiet)
    return np.genfromtxt(out, delimiter=",", skip_header=1).T


def measure(program, name, count, rows, draws, with_rivals):
    """The errors of every method on each draw, and what intervals hold and how wide they are."""
    errors, hold, width = {}, [], []
    for seed in range(1, draws + 1):
        rng = np.random.default_rng(1000 + seed)
        x, labels, truth = SETS[name](rng, rows)
        if count >= len(x):
            return None
        drawn = np.random.default_rng(seed).permutation(len(x))[:count]
        hidden = np.setdiff1d(np.arange(len(x)), drawn)

        def add(method, told):
            errors.setdefault(method, []).append(np.sqrt(np.mean((told - truth)[hidden] ** 2)))

        with tempfile.TemporaryDirectory() as folder:
            value, low, high = lapsvm(program, folder, x, drawn, labels[drawn])
            add("lapsvm", value)
            add("alone", lapsvm(program, folder, x, drawn, labels[drawn], "--gamma-i", "0")[0])
        hold.append(np.mean(((low <= labels) & (labels <= high))[hidden]))
        width.append(np.mean((high - low)[hidden]))
        for method, told in rivals(x, drawn, labels[drawn], seed) if with_rivals else ():
            add(method, told)
    return errors, hold, width


def error_of(values):
    return np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", default="lapsvm", help="the program to measure")
    parser.add_argument("--labels", default="10,20,50,100", help="how many labels are kept")
    parser.add_argument("--sets", default=",,".join(SETS), help="names of sets, separated by two commas")
    parser.add_argument("--rows", type=int, default=300, help="rows of a set, at most")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--rivals", choices=["on", "off"], default="on")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    head, logs, held = None, {}, []
    for name in asked.sets.split(",,"):
        for count in map(int, asked.labels.split(",")):
            measured = measure(asked.program, name, count, asked.rows, asked.draws, asked.rivals == "on")
            if measured is None:
                continue
            errors, hold, width = measured
            if head is None:
                head = ["set", "labels", *errors, "lapsvm / alone", "90 % hold", "width"]
                print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
            means = {method: np.mean(values) for method, values in errors.items()}
            least = min(means.values())
            cells = ["**%.3g**" % m if m == least else "%.3g" % m for m in means.values()]
            ratio = np.log(np.array(errors["lapsvm"]) / errors["alone"])
            cells.append("%.3f (%.3f)" % (np.exp(ratio.mean()), np.exp(ratio.mean()) * error_of(ratio)))
            cells += ["%.2f (%.2f)" % (np.mean(hold), error_of(hold)), "%.3g" % np.mean(width)]
            print("| %s | %d | %s |" % (name, count, " | ".join(cells)), flush=True)
            for method, m in means.items():
                logs.setdefault(method, []).append(np.log(m / means["lapsvm"]))
            held.append(np.mean(hold))
    more = ["%+.1f %%" % (100 * (np.exp(np.mean(values)) - 1)) for values in logs.values()]
    print("| more error than lapsvm | | %s | | %.3f | |" % (" | ".join(more), np.mean(held)))


if __name__ == "__main__":
    sys.exit(main())
