#!/bin/sh
# FNN's get.knn and knn.cv are said to leave a row out of its own neighbours. They leave out the nearest of all rows, which need not be
# the row itself where rows are equal: one of two equal rows has itself as its neighbour, and not the other. So a row votes on its own label. Of
# pairs with labels drawn by chance knn.cv finds three quarters right, where class::knn.cv finds half.
#
# Needs R 4.2 with FNN 1.1.3.1 and class 7.3, as Debian 12 has them: apt-get install r-cran-fnn r-cran-class. Works in a temporary folder, and fails if
# this changes.
#
# Seen: kd_tree: 1000 of 2000 rows are their own nearest neighbour; knn.cv finds 76 % of the labels
# Seen: cover_tree: 1000 of 2000 rows are their own nearest neighbour; knn.cv finds 76 % of the labels
# Seen: brute: 1000 of 2000 rows are their own nearest neighbour; knn.cv finds 76 % of the labels
# Seen: class: 52 %
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
seen=$(R -s --vanilla <<'END'
library(FNN)
cat("FNN", as.character(packageVersion("FNN")), "class", as.character(packageVersion("class")), "\n")
set.seed(1)
x <- matrix(rnorm(2000), 1000)
x <- rbind(x, x)
n <- nrow(x)
y <- factor(sample(c("a", "b"), n, TRUE))
percent <- function(p) round(100 * mean(p == y))
for (by in c("kd_tree", "cover_tree", "brute"))
  cat(by, ": ", sum(get.knn(x, 1, algorithm = by)$nn.index == 1:n), " of ", n, " rows are their own nearest neighbour; knn.cv finds ",
    percent(knn.cv(x, y, 1, algorithm = by)), " % of the labels\n", sep = "")
cat("class:", percent(class::knn.cv(x, y, 1)), "%\n")
END
)
echo "$seen"
test "$(echo "$seen" | grep -c ': 1000 of 2000 rows are their own nearest neighbour; knn.cv finds 7[3-7] % of the labels$')" = 3
echo "$seen" | grep -q '^class: \(4[6-9]\|5[0-4]\) %$'
