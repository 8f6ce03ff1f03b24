source("tell.R")

x <- iris[1:4]
few <- replace(iris$Species, -c(1:5, 51:55, 101:105), NA)
m <- lapsvm(x, few, sigma = 0.5, neighbours = 6, gamma_a = 0.01, gamma_i = 1, laplacian_degree = 1, views = 1)
contains <- function(text, part) if (!grepl(part, text, fixed = TRUE)) stop(text, " has no ", part)

# Labels.
contains(refused(lapsvm(x), "lapsvm_no_labels"), "NA where there is none")
contains(refused(lapsvm(x, rep(NA, 150)), "lapsvm_no_labels"), "suggest(x)")
contains(refused(lapsvm(x, replace(few, 6:150, NA)), "lapsvm_one_class"), "one class, 'setosa'")
contains(refused(lapsvm(x, few[1:3]), "lapsvm_data"), "3 labels, but x has 150 rows")
contains(refused(lapsvm(x, as.list(few))), "factor")
contains(refused(lapsvm(x, x)), "one column")
contains(refused(lapsvm(x, Sys.Date() + 1:150)), "as.numeric")

# Rows.
contains(refused(lapsvm(1:150, few)), "data frame")
contains(refused(lapsvm("x", few)), "data frame")
contains(refused(lapsvm(x[0, ], few[0])), "0 rows")
contains(refused(lapsvm(transform(x, Sepal.Width = replace(Sepal.Width, 7, Inf)), few), "lapsvm_value"), "row 7, column 'Sepal.Width'")
contains(refused(lapsvm(replace(as.matrix(x), 9, -Inf), few), "lapsvm_value"), "row 9, column 'Sepal.Length'")
contains(refused(lapsvm(data.frame(x, z = 1i), few), "lapsvm_value"), "complex")
contains(refused(lapsvm(stats::setNames(x, c("a", "a", "b", "c")), few), "lapsvm_columns"), "make.unique")

# Formulas.
contains(refused(lapsvm(~ Sepal.Width, iris), "lapsvm_no_labels"), "label ~ .")
contains(refused(lapsvm(Species ~ Sepal.Width * Sepal.Length, iris)), "interaction")
contains(refused(lapsvm(Species ~ 1, iris), "lapsvm_columns"), "no column")
by_formula <- lapsvm(Species ~ . - Sepal.Width, transform(iris, Species = few), sigma = 0.5, neighbours = 6, gamma_a = 0.01, gamma_i = 1)
stopifnot(length(predict(by_formula, iris[c(1, 3, 4)])) == 150)
contains(refused(predict(by_formula, iris[1:2]), "lapsvm_columns"), "'Petal.Length', 'Petal.Width'")
t <- 1 # nor a variable of that name nor R's function t stands for a column
by_t <- lapsvm(y ~ t + Sepal.Width, data.frame(y = few, t = iris$Petal.Length, x), sigma = 0.5, neighbours = 6, gamma_a = 0.01, gamma_i = 1)
contains(refused(predict(by_t, x), "lapsvm_columns"), "'t'")

# Settings.
contains(refused(lapsvm(x, few, sigma = -1), "lapsvm_parameter"), "sigma must be positive")
contains(refused(lapsvm(x, few, loss = "huber"), "lapsvm_parameter"), "give numbers in y")
contains(refused(lapsvm(x, few, describe = "hog")), "image_shape")
contains(refused(lapsvm(x, few, cost = 1), "lapsvm_parameter"), "gamma_a")
contains(refused(lapsvm(x, few, kernel = "rbfdot"), "lapsvm_parameter"), "gaussian")
contains(refused(lapsvm(x, few, neighbours = 6, neighbors = 6), "lapsvm_parameter"), "another spelling")
contains(refused(lapsvm(x, few, sigma = NA), "lapsvm_parameter"), "leave it out")
contains(refused(lapsvm(x, few, sigma = 1:2), "lapsvm_parameter"), "2 values")
contains(refused(lapsvm(x, few, prior = c(rose = 1)), "lapsvm_parameter"), "'rose'")
contains(refused(lapsvm(as.matrix(x), few, text = "a"), "lapsvm_parameter"), "data frame")
contains(refused(lapsvm(x, few, category = "colour")), "colour")
contains(refused(lapsvm(x, few, sgima = 1), "lapsvm_parameter"), "did you mean sigma")
if (grepl("mean", refused(lapsvm(x, few, wombat = 1), "lapsvm_parameter"))) stop("something else is called alike")
contains(refused(lapsvm(x, few, 1), "lapsvm_parameter"), "name settings")
contains(refused(suggest(m, iris), "lapsvm_parameter"), "a model suggests rows of its training")
contains(refused(suggest(x, n = 1:3), "lapsvm_parameter"), "n is of the class integer and length 3")

# Predictions.
contains(refused(predict(m, x[1:2]), "lapsvm_columns"), "'Petal.Length', 'Petal.Width'")
contains(refused(predict(m, unname(as.matrix(x[1:2]))), "lapsvm_columns"), "2 columns")
contains(refused(predict(m, transform(x, Sepal.Width = NA)), "lapsvm_value"), "row 1")
contains(refused(predict(m, x, type = "what"), "lapsvm_parameter"), "\"prob\"")
contains(refused(predict(m, x, type = "set", level = 2), "lapsvm_parameter"), "between 0 and 1")
contains(refused(predict(m, x, type = "interval"), "lapsvm_lacks"), "\"set\"")
contains(refused(predict(m, x, typ = "prob", levle = 1), "lapsvm_parameter"), "'levle'")
contains(refused(predict(lapsvm(x, few, proba = FALSE, views = 1, sigma = 0.5), type = "prob"), "lapsvm_lacks"), "proba = TRUE")
contains(refused(suggest(m, n = 0), "lapsvm_parameter"), "from 1")
contains(refused(audit(x, rep(NA, 150)), "lapsvm_no_labels"), "suggest(x)")
contains(refused(suggest(lapsvm(x, few, keep = FALSE, views = 1, sigma = 0.5))), "keep = TRUE")

# Files.
contains(refused(load_lapsvm("absent.lapsvm"), "lapsvm_missing"), "absent.lapsvm")
file <- tempfile()
writeLines("no model", file)
refused(load_lapsvm(file))
save_lapsvm(m, file)
bytes <- readBin(file, "raw", 1e7)
writeBin(bytes[1:500], file)
refused(load_lapsvm(file), "lapsvm_damaged")

# The program.
options(lapsvm.binary = "/absent/lapsvm")
contains(refused(predict(m, x), "lapsvm_missing"), "/absent/lapsvm")
