source("tell.R")

few <- replace(iris$Species, -c(1:5, 51:55, 101:105), NA)
flowers <- transform(iris, Species = few)

# Formula, data frame and matrix are one road.
m <- lapsvm(Species ~ ., flowers)
stopifnot(identical(levels(fitted(m)), levels(iris$Species)), mean(fitted(m) == iris$Species) > 0.85)
by_frame <- lapsvm(iris[1:4], few)
by_matrix <- lapsvm(as.matrix(iris[1:4]), few)
score <- predict(m, iris, type = "score")
stopifnot(identical(dim(score), c(150L, 3L)), identical(score, predict(by_frame, iris, type = "score")), identical(score, predict(by_matrix, iris, type = "score")),
          identical(score, predict(by_matrix, as.matrix(iris[4:1]), type = "score")))

# Probabilities, sets and the training rows.
prob <- predict(m, iris, type = "prob")
stopifnot(identical(colnames(prob), levels(iris$Species)), all(abs(rowSums(prob) - 1) < 1e-9), identical(levels(few)[max.col(prob)], as.character(predict(m, iris))))
set <- predict(m, iris, type = "set", level = 0.8)
stopifnot(is.logical(set), mean(set[cbind(1:150, as.integer(iris$Species))]) > 0.7)
stopifnot(identical(predict(m), fitted(m)), all(abs(predict(m, type = "prob") - prob) < 0.01))

# Labels come back as they went in.
text <- lapsvm(iris[1:4], as.character(few))
stopifnot(identical(predict(text, iris), as.character(predict(m, iris))))
truth <- lapsvm(iris[1:4], few == "setosa")
stopifnot(identical(predict(truth, iris[c(1, 60), ]), c(TRUE, FALSE)), is.null(dim(predict(truth, iris, type = "score"))))
stopifnot(all(predict(truth, iris, type = "score")[1:50] > 0)) # positive for the second class, TRUE
strange <- few
levels(strange) <- c("a,b;\"c\"", "10", "\u00e9t\u00e9")
stopifnot(identical(as.integer(predict(lapsvm(iris[1:4], strange), iris)), as.integer(predict(m, iris))))
levels(strange) <- c("2", "10", "1") # another order than the program's
stopifnot(identical(as.integer(predict(lapsvm(iris[1:4], strange), iris)), as.integer(predict(m, iris))))
levels(strange) <- c("1", "1.0", "None") # which the program cannot tell apart
stopifnot(identical(as.integer(predict(lapsvm(iris[1:4], strange), iris)), as.integer(predict(m, iris))))
unused <- factor(few, levels = c("none", levels(few)))
stopifnot(identical(colnames(predict(lapsvm(iris[1:4], unused), iris, type = "prob")), levels(few)), identical(levels(predict(lapsvm(iris[1:4], unused), iris)), levels(unused)))

# Ordered classes: sets without gaps, and the order of R.
size <- cut(iris$Petal.Length, c(0, 3, 4.9, 9), labels = c("small", "medium", "large"), ordered_result = TRUE)
ordered <- lapsvm(iris[1:4], replace(size, -c(seq(1, 150, 8)), NA))
stopifnot(is.ordered(predict(ordered, iris)), identical(levels(predict(ordered, iris)), levels(size)), mean(predict(ordered, iris) == size) > 0.85)
set <- predict(ordered, iris, type = "set", level = 0.6)
stopifnot(!any(set[, 1] & !set[, 2] & set[, 3]))

# Model files.
file <- tempfile(fileext = ".lapsvm")
save_lapsvm(ordered, file)
loaded <- load_lapsvm(file)
stopifnot(identical(predict(loaded, iris), predict(ordered, iris)), identical(predict(loaded, iris, type = "prob"), predict(ordered, iris, type = "prob")))
saveRDS(m, file)
stopifnot(identical(predict(readRDS(file), iris), predict(m, iris)))

# Questions.
rows <- suggest(m, n = 3)
stopifnot(nrow(rows) == 3, all(is.na(few[rows$row])), is.character(rows$reason), nrow(suggest(iris[1:4], n = 2)) == 2, nrow(suggest(iris[1:4], replace(few, 6:150, NA), n = 2)) == 2)
wrong <- replace(iris$Species, -c(1:10, 51:60, 101:110), NA)
wrong[3] <- "virginica"
labels <- audit(iris[1:4], wrong)
stopifnot(nrow(labels) == 30, labels$row[1] == 3, labels$given[1] == "virginica", labels$suggested[1] == "setosa", labels$suspicion[1] > 0.5)
equal <- capture.output(print(audit(iris[c(1:150, 1), 1:4], c(as.character(wrong), "virginica"))))
stopifnot("equal rows with different labels: 1 (setosa), 151 (virginica)" %in% equal)
stopifnot(length(withCallingHandlers(explain(m), warning = function(w) stop(w))$rows) == 10)
why <- explain(m, iris[c(1, 71), ])
frame <- as.data.frame(why)
stopifnot(identical(frame$row, rep(1:2, each = 4)), identical(frame$effect[5:8], why$rows[[2]]$columns$effect), all(c("label", "column", "value", "usual", "class") %in% names(frame)))
stopifnot(length(why$rows) == 2, why$rows[[1]]$label == "setosa", why$rows[[1]]$columns$column[1] == "Petal.Length", setequal(why$rows[[1]]$columns$column, names(iris)[1:4]))
print(m)
print(summary(m))
print(why)
print(rows)
print(labels)
pdf(NULL)
stopifnot(identical(dim(plot(m)), c(150L, 2L)), identical(names(plot(lapsvm(iris[3:4], few))), names(iris)[3:4]))
plot(loaded, iris, size)
invisible(dev.off())

# Settings are those of the command.
given <- lapsvm(iris[1:4], few, sigma = 0.5, neighbors = 6, gamma_a = 0.01, gamma_i = 1, laplacian_degree = 1, standardize = "none", views = 1, prior = c(setosa = 0.4, versicolor = 0.3, virginica = 0.3), class_weight = c(setosa = 1, versicolor = 2, virginica = 1))
stopifnot(given$info$sigma == 0.5, given$info$neighbours == 6, given$info$gamma_a == 0.01, given$info$standardise == "none", abs(mean(fitted(given) == "setosa") - 0.4) < 0.05)
stopifnot(nrow(suggest(lapsvm(iris[1:4], few, time = 60, max_iter = 50, tolerance = 0.01, stop = "auto", check_every = 20), n = 1)) == 1)

# Given edges, with features and without.
group <- rep(0:2, 40)
links <- outer(group, group, "==") * (outer(1:120, 1:120, function(i, j) (i * j) %% 7 == 0)) + (outer(1:120, 1:120, function(i, j) (i + j) %% 41 == 0))
diag(links) <- 0
members <- lapsvm(NULL, factor(replace(group, 13:120, NA)), edges = (links + t(links))[1:120, 1:120])
stopifnot(mean(fitted(members) == group) > 0.6, length(predict(members, NULL, edges = (links + t(links))[1:5, ])) == 5)
