source("tell.R")

# A table of every kind of column, with gaps.
n <- 120
left <- rep(c(TRUE, FALSE), length.out = n)
k <- seq_len(n)
table <- data.frame(
  size = ifelse(left, 2, 5) + (k * 7 %% 11) / 60,
  zip = factor(ifelse(k %% 3 == 0, 1532, 1001)),
  grade = factor(c("low", "high")[1 + k %% 2], levels = c("low", "high"), ordered = TRUE),
  town = ifelse(left, "Z\u00fcrich", "Bern"),
  since = as.Date("2024-01-01") + k,
  at = as.POSIXct("2024-03-01 10:00:00", tz = "UTC") + 3600 * k + 0.25,
  wait = as.difftime(k / 24, units = "hours"),
  paid = k %% 4 == 0,
  quoted = c("say \"so\"", "tab\there", "back\\slash")[1 + k %% 3],
  count = k %% 5L,
  stringsAsFactors = FALSE)
table$place <- lapply(k, function(i) c(i / n, left[i]))
table$two <- cbind(a = k, b = -k)
for (name in setdiff(names(table), c("zip", "two", "place"))) table[[name]][match(name, names(table)) + 3] <- NA
table$place[9] <- list(NULL)
y <- factor(ifelse(left, "left", "right"))
m <- lapsvm(table, replace(y, 31:n, NA), neighbours = 6, views = 1)
kinds <- vapply(m$columns, function(c) c$kind, "")
names(kinds) <- vapply(m$columns, function(c) c$name, "")
print(kinds)
stopifnot(kinds[c("size", "zip", "grade", "town", "since", "at", "wait", "paid", "quoted", "count", "place", "two.a", "two.b")] ==
            c("number", "category", "category", "category", "date", "date", "number", "boolean", "category", "number", "vector", "number", "number"))
stopifnot(mean(predict(m, table) == y) > 0.95, identical(predict(m, table[rev(names(table))]), predict(m, table)))
print(summary(m))
pdf(NULL)
plot(m)
invisible(dev.off())

# Of words that files use for gaps, None is a value in R, and others are warned of.
habit <- data.frame(exercise = factor(c("None", "Some", "Freq")[1 + k %% 3]), size = k)
stopifnot(grepl("3 values: ", lapsvm(habit, replace(y, 31:n, NA), views = 1)$columns[[1]]$text))
levels(habit$exercise)[2] <- "n/a"
warned <- tryCatch(lapsvm(habit, replace(y, 31:n, NA), views = 1), warning = conditionMessage)
stopifnot(grepl("'exercise' of x has the value 'n/a', which is taken for a gap", warned))

# A column that names the rows is left out, whether it is text or counts.
for (id in list(sprintf("p%03d", 1:150), 1:150)) {
  few <- replace(iris$Species, -c(1:5, 51:55, 101:105), NA)
  warned <- NULL
  m <- withCallingHandlers(lapsvm(data.frame(id = id, iris[1:4]), few, views = 1), warning = function(w) {
    warned <<- c(warned, conditionMessage(w))
    invokeRestart("muffleWarning")
  })
  stopifnot(identical(sort(unlist(m$info$features)), sort(names(iris)[1:4])), any(grepl("ignore = \"id\"", warned)), identical(predict(m, iris), predict(m, data.frame(id = id, iris))))
}

# Numbers keep their bits, and what is read of a table is what is read of its values.
stopifnot(identical(lapsvm:::json_numbers(c(0.1, NA, 1e300, -5)), c("0.10000000000000001", "null", "1.0000000000000001e+300", "-5")))
stopifnot(identical(lapsvm:::json_strings(c("a\"b", NA, "\\", "t\t", "\u00e9")), c("\"a\\\"b\"", "null", "\"\\\\\"", "\"t\\u0009\"", "\"\u00e9\"")))
said <- lapsvm:::read_json('{"a": [1, 2.5, null], "b": {"c": "x\\"\\u00e9\\ud83d\\ude00\\n"}, "d": [], "e": [[1], ["2"]], "f": true, "g": null, "h": [{"i": 1}]}')
stopifnot(identical(said, list(a = c(1, 2.5, NA), b = list(c = "x\"\u00e9\U1F600\n"), d = list(), e = list(1, "2"), f = TRUE, g = NULL, h = list(list(i = 1)))))

# Times are to the millionth of a second.
stopifnot(identical(lapsvm:::fields(as.POSIXct("2024-01-01 00:00:00", tz = "UTC") + c(0, 0.1, 10.000001), "t", "x"), c("\"2024-01-01T00:00:00Z\"", "\"2024-01-01T00:00:00.1Z\"", "\"2024-01-01T00:00:10.000001Z\"")))

# Archives are NumPy's: this one was written by NumPy 1.24, np.savez(f, a=np.array([[1., 2.], [3., 4.5]]), b=np.array(["x", "\u00e9t"])).
arrays <- list(a = matrix(c(1, 3, 2, 4.5), 2), b = c("x", "\u00e9t"))
path <- tempfile(fileext = ".npz")
lapsvm:::write_npz(path, list(a = lapsvm:::numbers_array(arrays$a), b = lapsvm:::texts_array(arrays$b)))
unzipped <- file.path(tempfile(), "a.npy")
utils::unzip(path, exdir = dirname(unzipped)) # which checks the sums
stopifnot(identical(lapsvm:::read_npy(readBin(unzipped, "raw", 1e4)), arrays$a), identical(lapsvm:::read_npy(readBin(sub("a.npy", "b.npy", unzipped), "raw", 1e4)), arrays$b))

# Text is described by its words.
words <- lapply(list(a = c("rain", "cloud", "storm", "wind"), b = c("goal", "match", "team", "league")), function(w) vapply(1:40, function(i) paste(w[1 + (i * c(1, 3, 5, 7)) %% 4], "of day", i %% 9, collapse = " "), ""))
posts <- data.frame(post = paste(unlist(words), seq_len(80)))
topic <- rep(c("weather", "sport"), each = 40)
m <- lapsvm(posts, replace(topic, -c(1:5, 41:45), NA), text = "post")
stopifnot(mean(predict(m, posts) == topic) > 0.9)
pdf(NULL)
plot(m)
invisible(dev.off())

# Sparse matrices.
if (requireNamespace("Matrix", quietly = TRUE)) {
  dense <- as.matrix(iris[1:4])
  dense[dense < 1] <- 0
  few <- replace(iris$Species, -c(1:5, 51:55, 101:105), NA)
  x <- Matrix::Matrix(dense, sparse = TRUE)
  m <- lapsvm(x, few, sigma = 1, neighbours = 6, gamma_a = 0.01, gamma_i = 1, laplacian_degree = 1, standardise = "none", views = 1)
  same <- lapsvm(dense, few, sigma = 1, neighbours = 6, gamma_a = 0.01, gamma_i = 1, laplacian_degree = 1, standardise = "none", views = 1)
  stopifnot(all(abs(predict(m, x, type = "score") - predict(same, dense, type = "score")) < 1e-8))
  stopifnot(identical(predict(m, methods::as(x, "TsparseMatrix")), predict(m, x)), identical(unlist(m$info$features), colnames(dense)))
  pdf(NULL)
  plot(m)
  invisible(dev.off())
  x@x[3] <- NA
  refused(lapsvm(x, few), "lapsvm_value")
}
