# Models: read, kept and described.

# Reads a model file into an object. labels are those of the training, NULL where these are not known.
read_model <- function(path, folder, labels = NULL) {
  info <- run("info", path, list(), folder)
  if (isTRUE(info$one_class) || !is.null(info$multi_label)) {
    fail("lacks", paste0("the model has ", if (isTRUE(info$one_class)) "one class alone" else "several classes a row"), "use the command, lapsvm predict, or Python")
  }
  if (is.null(labels)) {
    kind <- if (isTRUE(info$regression)) "numbers" else if (length(info$ordered)) "ordered" else "classes"
    classes <- as.character(unlist(info$classes))
    labels <- list(kind = kind, type = c(numbers = "numeric", ordered = "ordered", classes = "factor")[[kind]], every = classes, levels = classes, names = classes)
  }
  labels$text <- NULL
  object <- structure(list(kind = labels$kind, labels = labels, levels = labels$levels, info = info, columns = info$columns, model = read_bytes(path)), class = "lapsvm")
  if (labels$kind != "numbers") object$order <- match(labels$names, unlist(info$classes)) # places of the levels among the program's classes
  object
}

load_lapsvm <- function(file) {
  if (!is.character(file) || length(file) != 1L) fail("parameter", "file is no name of a file", "give the path of a model, which lapsvm train or save_lapsvm wrote")
  if (!file.exists(file)) fail("missing", paste0("there is no file ", file), "give the path of a model, which lapsvm train or save_lapsvm wrote")
  with_folder(function(folder) {
    path <- file.path(folder, "model.lapsvm")
    file.copy(file, path)
    object <- read_model(path, folder)
    object$call <- match.call(load_lapsvm, quote(load_lapsvm(file)))
    object$call$file <- file
    object
  })
}

save_lapsvm <- function(object, file) {
  if (!inherits(object, "lapsvm")) fail("parameter", paste0("object is of the class ", class(object)[1L]), "give what lapsvm returned")
  save_bytes(object$model, file)
  invisible(file)
}

fitted.lapsvm <- function(object, ...) {
  if (is.null(object$fitted)) fail("lacks", "the model was read from a file, which does not keep what was decided of the training rows", "give these to predict")
  object$fitted
}

# Returns the lines that describe a model.
described <- function(object) {
  info <- object$info
  choice <- info$choice
  kind <- switch(object$kind, numbers = "Laplacian support vector regression", ordered = "Laplacian support vector machine for ordered classes", "Laplacian support vector machine")
  lines <- c(kind, "",
    paste0(info$labelled, " labelled rows, ", if (info$unlabelled > 0) paste(info$unlabelled, "unlabelled") else if (is.null(object$result) || object$result$rows > info$labelled) "and no unlabelled ones have a part" else "and no others"),
    if (object$kind != "numbers") paste0("classes: ", paste(object$levels, collapse = if (object$kind == "ordered") " < " else ", ")),
    if (length(object$columns)) paste0("columns: ", paste(vapply(split(vapply(object$columns, `[[`, "", "name"), vapply(object$columns, `[[`, "", "kind")), function(n) paste0(length(n), " "), ""),
                                                          sort(unique(vapply(object$columns, `[[`, "", "kind"))), sep = "", collapse = ", ")))
  width <- if (!is.null(info$sigma)) paste0(", sigma ", signif(info$sigma, 3L)) else ""
  lines <- c(lines, paste0("kernel: ", info$kernel, width, if (!is.null(info$neighbours)) paste0("; ", info$neighbours, " neighbours")), 
             if (length(info$mean_of) || length(info$beside)) "the mean of several machines, which object$info lists")
  c(lines, expected(object))
}

# Returns the sentences on the error to expect and on the unlabelled rows.
expected <- function(object) {
  choice <- object$info$choice
  error <- if (object$kind == "numbers") {
    if (!is.null(choice$rmse)) sprintf("expected error (root mean square): %s, 95 %% interval %s to %s", signif(choice$rmse, 3L), signif(choice$rmse_low, 3L), signif(choice$rmse_high, 3L))
  } else if (!is.null(choice$error)) {
    sprintf("expected error: %.1f %%, 95 %% interval %.1f to %.1f %%", choice$error, choice$error_low, choice$error_high)
  }
  help <- if (!is.null(choice$verdict)) paste0("do the unlabelled rows help? ", switch(choice$verdict, helps = "yes", harms = "no, they harm: gamma_i = 0 leaves them out", choice$verdict))
  if (is.null(error) && !is.null(choice)) error <- "expected error: not known, which takes ten labels or more"
  c(error, help)
}

print.lapsvm <- function(x, ...) {
  cat(described(x), sep = "\n")
  invisible(x)
}

summary.lapsvm <- function(object, ...) {
  importance <- as_frame(object$info$importance)
  importance <- importance[intersect(c("column", "usual", "effect", if (object$kind != "numbers") "changed"), names(importance))]
  columns <- as_frame(lapply(object$columns, function(c) list(column = c$name, taken_for = c$text)))
  predicted <- if (!is.null(object$fitted)) if (object$kind == "numbers") summary(object$fitted) else table(fitted = object$fitted)
  structure(list(call = object$call, lines = described(object), columns = columns, importance = importance, fitted = predicted), class = "summary.lapsvm")
}

print.summary.lapsvm <- function(x, ...) {
  if (!is.null(x$call)) cat("Call: ", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
  cat(x$lines, sep = "\n")
  if (NROW(x$columns)) {
    cat("\nColumns:\n")
    print(x$columns, row.names = FALSE, right = FALSE)
  }
  if (NROW(x$importance)) {
    change <- if ("changed" %in% names(x$importance)) "the decision value, and the share of rows that change," else "the number"
    cat("\nColumns by what they do (the mean change of ", change, " with what is usual in their place):\n", sep = "")
    shown <- head(x$importance, 20L)
    shown[vapply(shown, is.numeric, NA)] <- lapply(shown[vapply(shown, is.numeric, NA)], signif, 3L)
    print(shown, row.names = FALSE, right = FALSE)
  }
  if (length(x$fitted)) {
    cat("\nOf the training rows:\n")
    print(x$fitted)
  }
  invisible(x)
}

# Returns a list of objects of JSON as a data frame of their scalars.
as_frame <- function(objects) {
  if (!length(objects)) return(NULL)
  names <- unique(unlist(lapply(objects, names)))
  names <- names[vapply(names, function(name) all(vapply(objects, function(o) length(o[[name]]) <= 1L && !is.list(o[[name]]), NA)), NA)]
  columns <- lapply(names, function(name) {
    values <- lapply(objects, function(o) if (is.null(o[[name]])) NA else o[[name]])
    unlist(values)
  })
  structure(columns, names = names, class = "data.frame", row.names = .set_row_names(length(objects)))
}
