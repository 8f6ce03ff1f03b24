# Training: lapsvm and its methods.

lapsvm <- function(x, ...) UseMethod("lapsvm")

lapsvm.default <- function(x, y, ..., edges = NULL, keep = TRUE) {
  call <- match.call()
  call[[1L]] <- quote(lapsvm)
  if (missing(y)) fail("no_labels", "y is missing", "give a label for each row of x, NA where there is none, or a formula such as lapsvm(label ~ ., data)")
  if (is.null(x) && is.null(edges)) fail("data", "x is NULL, and no edges are given", "give x, or of rows without features the edges between them")
  control <- settings(...)
  x <- if (is.null(x)) bare(length(y)) else rows(x, table = any(column_settings %in% names(control)))
  labels <- labels_of(y, nrow(x))
  object <- with_folder(function(folder) train(x, labels, control, edges, folder))
  object$call <- call
  if (keep) object[c("x", "y", "edges")] <- list(x, y, edges)
  object
}

lapsvm.formula <- function(formula, data = parent.frame(), ..., keep = TRUE) {
  call <- match.call()
  call[[1L]] <- quote(lapsvm)
  parts <- by_formula(formula, data)
  object <- lapsvm.default(parts$x, parts$y, ..., keep = keep)
  object$call <- call
  object$terms <- parts$terms
  object
}

# Returns the rows and labels that a formula takes of data. Rows with gaps stay.
by_formula <- function(formula, data) {
  if (!is.data.frame(data) && !is.environment(data) && !is.list(data)) fail("data", paste0("data is of the class ", class(data)[1L]), "give a data frame, or x and y in place of a formula")
  if (length(formula) < 3L) fail("no_labels", "the formula has no label", "write it at the left, as in label ~ .; NA where there is none")
  terms <- terms(formula, data = if (is.data.frame(data)) data)
  named <- attr(terms, "term.labels")
  if (length(named)) { # without what . - x leaves out
    left <- if (length(formula) == 3L) formula[[2L]]
    terms <- terms(reformulate(named, left, env = environment(formula)))
  }
  frame <- model.frame(terms, data, na.action = na.pass)
  terms <- attr(frame, "terms") # which know the scales of scale and poly
  attr(terms, "columns") <- intersect(all.vars(delete.response(terms)), names(data))
  list(x = frame_rows(terms, frame), y = model.response(frame), terms = terms)
}

# Returns the columns of a model frame that a formula takes as features.
frame_rows <- function(terms, frame) {
  if (any(attr(terms, "order") > 1L)) {
    fail("parameter", paste0("the formula has the interaction ", attr(terms, "term.labels")[attr(terms, "order") > 1L][1L]), "leave it out: the kernel has the interactions of all columns")
  }
  names <- attr(terms, "term.labels")
  if (!length(names)) fail("columns", "the formula names no column", "name some at its right, or all with label ~ .")
  x <- frame[setdiff(seq_along(frame), attr(terms, "response"))]
  names(x) <- gsub("^`(.*)`$", "\\1", names(x))
  attr(x, "terms") <- NULL
  x
}

# Returns rows without features.
bare <- function(n) structure(list(), class = "data.frame", row.names = .set_row_names(n))

# Trains, and returns the model.
train <- function(x, labels, control, edges, folder) {
  data <- write_rows(x, folder, labels$text)
  flags <- c(data$flags, flags_of(control, x, labels, edges, folder))
  flags$proba <- if (control$proba) "on" else "off"
  model <- file.path(folder, "model.lapsvm")
  decided <- file.path(folder, "rows.npz")
  result <- run("train", data$path, c(flags, list(output = model, transduction = decided, to = "npz")), folder, control$verbose)
  object <- read_model(model, folder, labels)
  object$result <- result
  object$control <- control
  answer <- answers(object, read_npz(decided), control$proba && labels$kind != "numbers")
  object$fitted <- decide(object, answer)
  object$scores <- answer$scores
  object$prob <- answer$prob
  names <- vapply(object$columns, function(c) if (identical(c$kind, "id")) c$name else "", "")
  for (name in names[nzchar(names)]) {
    warning("the column ", encodeString(name, quote = "'"), " has another value in every row: it names the rows, and is left out. Say so with ignore = ",
            encodeString(name, quote = "\""), ", or make it a feature with category or text", call. = FALSE)
  }
  if (grepl("limit", result$status)) warning("the solver stopped before it was done: ", result$status, "; raise max_iter or tolerance", call. = FALSE)
  object
}

# Characters of names that a file of settings, which has a megabyte at most, has room for.
longest <- 2e5

# Settings that name columns of a data frame.
column_settings <- c("coordinates", "text", "category", "ignore")

# Returns the flags of what is given: settings, kinds of columns, classes, edges.
flags_of <- function(control, x, labels, edges, folder) {
  flags <- list()
  for (name in setdiff(names(control), c(column_settings, "proba", "verbose"))) {
    value <- control[[name]]
    flag <- gsub("_", "-", name, fixed = TRUE)
    flags[[flag]] <- if (name %in% c("prior", "class_weight") && is.numeric(value)) {
      by_class(name, value, labels, folder)
    } else if (name == "image_shape") {
      paste(as.integer(value), collapse = "x")
    } else if (name == "time" && is.numeric(value)) {
      paste0(value, "s")
    } else if (name == "describe" && length(value) != 1L) {
      if (length(value)) paste(value, collapse = ",") else "none"
    } else {
      value
    }
  }
  for (name in column_settings) {
    if (!is.null(control[[name]]) && !is.data.frame(x)) fail("parameter", paste0(name, " names columns of a data frame, and x is none"), paste0("give one, or leave ", name, " out"))
    if (!is.null(control[[name]])) flags[[name]] <- listed(control[[name]])
  }
  said <- unlist(control[c("coordinates", "text", "ignore")])
  category <- union(control$category, setdiff(factors(x), said))
  if (length(category)) flags$category <- listed(category)
  if (is.null(labels)) return(c(flags, edges_flag(edges, folder, nrow(x))))
  if (labels$kind == "numbers") flags$regression <- TRUE
  if (labels$kind == "classes") flags$`label-values` <- listed(labels$names)
  if (labels$kind == "ordered") {
    flags$ordered <- paste(listed(labels$names), collapse = ",")
    flags$`label-values` <- listed(labels$names)
  }
  c(flags, edges_flag(edges, folder, nrow(x)))
}

edges_flag <- function(edges, folder, rows, columns = rows) if (!is.null(edges)) list(edges = write_edges(edges, folder, rows, columns))

# Returns the values of classes, which have names, as a flag takes them.
by_class <- function(name, values, labels, folder) {
  if (is.null(names(values))) fail("parameter", paste0(name, " has no names"), paste0("name the classes, as in ", name, " = c(", paste0(labels$levels[1:2], " = 1", collapse = ", "), ")"))
  unknown <- setdiff(names(values), labels$levels)
  if (length(unknown)) fail("parameter", paste0(name, " names the class ", encodeString(unknown[1L], quote = "'"), ", which y has no label of"), paste0("name of ", paste(encodeString(labels$levels, quote = "'"), collapse = ", ")))
  called <- labels$names[match(names(values), labels$levels)]
  if (name == "prior") return(paste0(called, "=", sprintf("%.17g", values), collapse = ","))
  path <- file.path(folder, "weights.tsv")
  con <- file(path, "wb")
  on.exit(close(con))
  writeLines(paste0(enc2utf8(called), "\t", sprintf("%.17g", values)), con, useBytes = TRUE)
  path
}
