#!/bin/sh
# The package Matrix of R writes NA, NaN and Inf into a file of Matrix Market as 1e308, a number like others. Nothing is said. SciPy and
# Matrix itself read it as this number, so that what was missing is the largest value there is.
#
# Needs R 4.2 with Matrix 1.5, and SciPy 1.10, as Debian 12 has them: apt-get install r-cran-matrix python3-scipy. Works in a temporary folder,
# and fails if this changes.
#
# Seen: written NA NaN Inf -Inf, read by Matrix 1e+308 1e+308 1e+308 -1e+308
# Seen: read by SciPy 1e+308 1e+308 1e+308 -1e+308
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
R -s --vanilla <<'END' | tee seen
library(Matrix)
cat("Matrix", as.character(packageVersion("Matrix")), "\n")
x <- c(NA, NaN, Inf, -Inf)
invisible(writeMM(sparseMatrix(i = 1:4, j = rep(1, 4), x = x, dims = c(4, 2)), "a.mtx"))
cat("written ", paste(x, collapse = " "), ", read by Matrix ", paste(readMM("a.mtx")[, 1], collapse = " "), "\n", sep = "")
END
/usr/bin/python3 -c 'import scipy.io; print("read by SciPy", *scipy.io.mmread("a.mtx").toarray()[:, 0])' | tee -a seen
cat a.mtx
grep -qxF 'written NA NaN Inf -Inf, read by Matrix 1e+308 1e+308 1e+308 -1e+308' seen
grep -qxF 'read by SciPy 1e+308 1e+308 1e+308 -1e+308' seen
