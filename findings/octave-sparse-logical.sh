#!/bin/sh
# Octave 7.3 saves a sparse logical matrix as a dense one of bytes with the parts of a sparse one inside (save -v6 and -v7). Octave
# itself then loads another matrix, without a word, and SciPy cannot read the file. As double(M) the matrix comes back.
#
# Needs Octave 7.3 and SciPy 1.10, as Debian 12 has them: apt-get install octave python3-scipy. Works in a temporary folder, and fails if this
# changes.
#
# Seen: saved sparse 1, loaded sparse 0
# Seen: saved   [1 0 1;0 1 1;1 1 0;0 0 1]
# Seen: loaded  [0 0 1;1 1 1;1 1 0;1 0 1]
# Seen: the same: logical 0, double 1
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
octave-cli --version | head -1
/usr/bin/python3 -c 'import scipy; print("SciPy", scipy.__version__)'
octave-cli -q --eval '
M = sparse(logical([1 0 1; 0 1 1; 1 1 0; 0 0 1]));
save("-v7", "logical.mat", "M"); D = double(M); save("-v7", "double.mat", "D");
a = load("logical.mat"); b = load("double.mat");
printf("saved sparse %d, loaded sparse %d\n", issparse(M), issparse(a.M));
printf("saved   %s\nloaded  %s\n", mat2str(double(full(M))), mat2str(double(full(a.M))));
printf("the same: logical %d, double %d\n", isequal(full(M), full(a.M)), isequal(full(D), full(b.D)));' > seen
cat seen
/usr/bin/python3 - <<'END' | tee read
import scipy.io
try:
    scipy.io.loadmat("logical.mat")
    print("SciPy reads it")
except ValueError as error:
    print("SciPy:", error)
END
grep -q '^the same: logical 0, double 1$' seen
grep -qF 'loaded  [0 0 1;1 1 1;1 1 0;1 0 1]' seen
grep -q '^SciPy: ' read
