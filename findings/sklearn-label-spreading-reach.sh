#!/bin/sh
# LabelSpreading of scikit-learn stops once the labels change by less than tol (0.001) in one step. With the usual alpha (0.2) that is after five
# steps with a graph of neighbours. Rows further from a label than five edges have no label then, and are given the first class: 354 of 400 in two
# moons, of which 45 % are wrong. With tol=0 no row is. The only word is of a division by zero.
#
# Needs scikit-learn 1.2.1, as Debian 12 has it: apt-get install python3-sklearn. Works in a temporary folder, and fails if this changes.
#
# Seen: as it is: 5 steps, 354 rows without a label, 55.0 % of the rows right
# Seen: with tol=0: 1000 steps, 0 rows without a label, 100.0 % of the rows right
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
seen=$(/usr/bin/python3 - <<'END'
import warnings

import numpy as np
import sklearn
from sklearn.datasets import make_moons
from sklearn.semi_supervised import LabelSpreading

warnings.simplefilter("ignore")
print("scikit-learn", sklearn.__version__)
x, truth = make_moons(400, noise=0.05, random_state=0)
y = np.full(400, -1)
y[x[:, 0].argmin()], y[x[:, 0].argmax()] = 0, 1
for name, options in ("as it is", {}), ("with tol=0", {"tol": 0, "max_iter": 1000}):
    m = LabelSpreading(kernel="knn", **options).fit(x, y)
    none = ~m.label_distributions_.any(axis=1)
    assert (m.transduction_[none] == 0).all()
    right = 100 * (m.transduction_ == truth).mean()
    print(f"{name}: {m.n_iter_} steps, {none.sum()} rows without a label, {right:.1f} % of the rows right")
END
)
echo "$seen"
echo "$seen" | grep -qxF 'as it is: 5 steps, 354 rows without a label, 55.0 % of the rows right'
echo "$seen" | grep -qxF 'with tol=0: 1000 steps, 0 rows without a label, 100.0 % of the rows right'
