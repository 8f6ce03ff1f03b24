#!/bin/sh
# LabelSpreading of scikit-learn has two answers for the rows that it was fitted to, transduction_ and predict(X), and these can be far apart. predict takes the
# mean of all rows by the kernel, and a wide kernel makes one answer of all. Even labelled rows are predicted as another class. score()
# and cross-validation see predict alone.
#
# Needs scikit-learn 1.2.1, as Debian 12 has it: apt-get install python3-sklearn. Works in a temporary folder, and fails if this changes.
#
# Seen: LabelSpreading, wine, gamma 0.01: transduction_ 83 % right, predict 46 % right, 6 of 15 labelled rows predicted as another class
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
seen=$(/usr/bin/python3 - <<'END'
import numpy as np
import sklearn
from sklearn.datasets import load_wine
from sklearn.preprocessing import scale
from sklearn.semi_supervised import LabelSpreading

print("scikit-learn", sklearn.__version__)
x, truth = load_wine(return_X_y=True)
x, y, draw = scale(x), np.full(len(truth), -1), np.random.RandomState(0)
for c in np.unique(truth):
    y[draw.permutation(np.flatnonzero(truth == c))[:5]] = c
m = LabelSpreading(gamma=0.01, max_iter=1000).fit(x, y)
predicted = m.predict(x)
share = lambda labels: f"{100 * (labels == truth).mean():.0f} % right"
print(f"LabelSpreading, wine, gamma 0.01: transduction_ {share(m.transduction_)}, predict {share(predicted)},",
    (predicted != y)[y >= 0].sum(), "of", (y >= 0).sum(), "labelled rows predicted as another class")
END
)
echo "$seen"
echo "$seen" | grep -q 'transduction_ 8[0-9] % right, predict [34][0-9] % right, [1-9] of 15 labelled rows predicted as another class$'
