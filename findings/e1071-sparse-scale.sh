#!/bin/sh
# svm() of e1071 scales the columns unless told not to, and its manual makes no exception. Of a sparse matrix it scales none, not even with
# scale = TRUE, and says nothing. The same numbers, dense and sparse, give other machines: with one column in thousands that column alone decides.
#
# Needs R 4.2 with e1071 1.7 and SparseM 1.81, as Debian 12 has them: apt-get install r-cran-e1071 r-cran-sparsem. Works in a temporary folder, and fails if
# this changes.
#
# Seen: dense: scaled TRUE, 95 % of new rows right
# Seen: sparse: scaled FALSE, 32 % of new rows right
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
seen=$(R -s --vanilla <<'END'
suppressMessages({library(e1071); library(Matrix)})
cat("e1071", as.character(packageVersion("e1071")), "SparseM", as.character(packageVersion("SparseM")), "\n")
set.seed(1)
x <- cbind(as.matrix(iris[, 1:4]), 1000 * rnorm(150))
train <- seq(1, 150, 2)
for (kind in c("dense", "sparse")) {
  points <- if (kind == "sparse") Matrix(x, sparse = TRUE) else x
  machine <- svm(points[train, ], iris$Species[train], scale = TRUE)
  right <- predict(machine, points[-train, ]) == iris$Species[-train]
  cat(kind, ": scaled ", all(machine$scaled), ", ", round(100 * mean(right)), " % of new rows right\n", sep = "")
}
END
)
echo "$seen"
echo "$seen" | grep -q '^dense: scaled TRUE, 9[0-9] % of new rows right$'
echo "$seen" | grep -q '^sparse: scaled FALSE, [2-4][0-9] % of new rows right$'
