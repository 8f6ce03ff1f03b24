# The decision values of LaplacianSVM of RSSL 0.9.7 are those of the package. lambda = 0.02, gamma = 5, the kernel rbfdot(2).
source("tell.R")

folder <- file.path(Sys.getenv("LAPSVM_DATA"), "golden", "rssl")
if (!file.exists(file.path(folder, "points.csv"))) {
  cat("LAPSVM_DATA has no golden/rssl: the values of RSSL are not compared\n")
  quit(status = 0)
}
points <- read.csv(file.path(folder, "points.csv"), na.strings = "")
values <- read.csv(file.path(folder, "f.csv"))$f # positive for "-"
labels <- sum(!is.na(points$label))
m <- lapsvm(label ~ ., points, kernel = "gaussian", sigma = 1 / sqrt(2 * 2), standardise = "none", metric = "euclidean", neighbours = 10, weights = "binary", laplacian = "unnormalised",
            laplacian_degree = 1, loss = "hinge", bias = "outside", gamma_a = 0.02 * labels, gamma_i = 5 * labels / nrow(points)^2, solver = "dual", tolerance = 1e-10, precision = 64)
sign <- if (m$levels[2] == "-") 1 else -1
apart <- max(abs(sign * predict(m, points, type = "score") - values))
cat("largest difference:", apart, "\n")
stopifnot(apart <= 1e-9, max(abs(sign * predict(m, type = "score") - values)) <= 1e-9)
