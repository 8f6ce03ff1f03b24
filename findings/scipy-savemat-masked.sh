#!/bin/sh
# A number that is masked in an array of NumPy is missing. scipy.io.savemat writes 1e20 for it, and 999999 among whole numbers, and
# numpy.savez writes the number under the mask. Neither says a word, and both files have three numbers as any other.
#
# Needs NumPy 1.24 and SciPy 1.10, as Debian 12 has them: apt-get install python3-scipy. Works in a temporary folder, and fails if this changes.
#
# Seen: array [1.0 -- 3.0], from the MAT-file [[1.e+00 1.e+20 3.e+00]], from npz [1. 2. 3.]
# Seen: array [1 -- 3], from the MAT-file [[1 999999 3]], from npz [1 2 3]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
/usr/bin/python3 - <<'END' | tee seen
import numpy as np
import scipy.io

print("NumPy", np.__version__, "SciPy", scipy.__version__)
for values in [1.0, 2.0, 3.0], [1, 2, 3]:
    x = np.ma.array(values, mask=[False, True, False])
    scipy.io.savemat("a.mat", {"x": x})
    np.savez("a.npz", x=x)
    print("array", x, end=", ")
    print("from the MAT-file", " ".join(str(scipy.io.loadmat("a.mat")["x"]).split()).replace("[[ ", "[["), end=", ")
    print("from npz", np.load("a.npz")["x"])
END
grep -qxF 'array [1.0 -- 3.0], from the MAT-file [[1.e+00 1.e+20 3.e+00]], from npz [1. 2. 3.]' seen
grep -qxF 'array [1 -- 3], from the MAT-file [[1 999999 3]], from npz [1 2 3]' seen
