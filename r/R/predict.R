# Predictions.

predict.lapsvm <- function(object, newdata, type = c("response", "class", "prob", "set", "interval", "score"), level = 0.9, edges = NULL, ...) {
  type <- if (missing(type)) "response" else choose(type, eval(formals()$type))
  unknown <- names(list(...))
  if (length(list(...))) fail("parameter", paste0("predict takes no argument ", if (length(unknown)) encodeString(unknown[1L], quote = "'") else "more"), "see ?predict.lapsvm")
  numbers <- object$kind == "numbers"
  if (numbers && type %in% c("class", "prob", "set")) fail("lacks", paste0("type = \"", type, "\" is for classes, and this model predicts numbers"), "use \"response\" or \"interval\"; for classes train with factor(y)")
  if (!numbers && type == "interval") fail("lacks", "type = \"interval\" is for numbers, and this model predicts classes", "use \"set\" for the classes that a row may have")
  if (type %in% c("set", "interval") && !(is.numeric(level) && length(level) == 1L && !is.na(level) && level > 0 && level < 1)) {
    fail("parameter", paste0("level is ", deparse(level)[1L]), "give a number between 0 and 1, such as 0.9")
  }
  if (missing(newdata)) {
    if (is.null(object$fitted)) fail("data", "newdata is missing", "give the rows to predict: a model of a file keeps no training rows")
    done <- switch(type, response = , class = object$fitted, prob = object$prob, score = object$scores)
    if (!is.null(done)) return(shaped(object, done, type))
    if (type == "prob") no_proba()
    if (is.null(object$x)) fail("data", "newdata is missing, and the training rows were not kept", "give the rows to predict, or train with keep = TRUE")
    x <- object$x
    if (is.null(edges)) edges <- object$edges
  } else {
    x <- if (is.null(newdata)) bare(NROW(edges)) else new_rows(object, newdata)
  }
  flags <- switch(type, prob = list(scores = TRUE, proba = TRUE), set = list(set = level), interval = list(interval = level), list(scores = !numbers))
  with_folder(function(folder) {
    asked <- ask_rows(object, x, flags, folder, edges, columns = type != "set")
    if (type == "set") return(sets(object, asked$sets, row_names(x)))
    if (type == "interval") {
      n <- length(asked)
      return(matrix(c(asked[[n - 2L]], asked[[n - 1L]], asked[[n]]), ncol = 3L, dimnames = list(row_names(x), c("fit", "lwr", "upr"))))
    }
    answer <- answers(object, asked, type == "prob")
    done <- switch(type, response = , class = decide(object, answer, asked), prob = answer$prob, score = answer$scores)
    if (is.matrix(done)) rownames(done) <- row_names(x)
    shaped(object, done, type)
  })
}

# Returns an argument as one of some words.
choose <- function(word, words) {
  at <- if (is.character(word) && length(word) == 1L) pmatch(word, words) else NA
  if (is.na(at)) fail("parameter", paste0("type is ", deparse(word)[1L]), paste0("give one of ", paste0("\"", words, "\"", collapse = ", ")))
  words[at]
}

no_proba <- function() fail("lacks", "the model was trained without probabilities", "train it with proba = TRUE")

# Returns decision values of two classes, and of numbers, as a vector.
shaped <- function(object, done, type) {
  if (type == "prob" && is.null(done)) no_proba()
  if (type == "score" && is.matrix(done) && (ncol(done) == 1L || length(object$levels) == 2L)) return(unname(done[, ncol(done)]))
  done
}

# Returns rows to predict, with the columns that the model needs.
new_rows <- function(object, newdata) {
  if (!is.null(object$terms)) {
    if (!is.data.frame(newdata)) fail("columns", paste0("newdata is of the class ", class(newdata)[1L]), "give a data frame, as the model was trained by a formula")
    terms <- delete.response(object$terms)
    lacking <- setdiff(attr(object$terms, "columns"), names(newdata))
    if (length(lacking)) fail("columns", paste0("newdata lacks ", some_names(lacking), ", which the model was trained with"), "add what is missing")
    newdata <- frame_rows(terms, model.frame(terms, newdata, na.action = na.pass))
  }
  if (is.null(dim(newdata)) && is.numeric(newdata) && length(newdata) == object$info$d) newdata <- matrix(newdata, 1L, dimnames = list(NULL, names(newdata)))
  table <- length(object$columns) > 0L
  x <- rows(newdata, "newdata", table)
  needed <- if (table) {
    kinds <- vapply(object$columns, `[[`, "", "kind")
    vapply(object$columns[!kinds %in% c("id", "dropped")], `[[`, "", "name")
  } else {
    as.character(unlist(object$info$features))
  }
  if (is.data.frame(x) || !is.null(colnames(x)) && length(needed) && !all(grepl("^[0-9]+$", needed))) {
    lacking <- setdiff(needed, colnames(x))
    if (length(lacking)) fail("columns", paste0("newdata lacks ", some_names(lacking), ", which the model was trained with"), "add what is missing")
  }
  if (is.data.frame(x)) return(x[if (table) intersect(names(x), vapply(object$columns, `[[`, "", "name")) else needed])
  if (table) {
    if (is.null(colnames(x))) fail("columns", "the model was trained with a data frame", paste0("give one with the columns ", some_names(needed)))
    return(table_of(as.data.frame(as.matrix(x[, needed, drop = FALSE])), "newdata"))
  }
  if (!is.null(colnames(x)) && length(needed) == object$info$d && all(needed %in% colnames(x))) {
    if (!identical(colnames(x), needed)) x <- x[, needed, drop = FALSE]
  } else if (ncol(x) != object$info$d) {
    fail("columns", sprintf("newdata has %d columns, but the model was trained with %d", ncol(x), object$info$d), "give the same columns")
  }
  colnames(x) <- if (length(needed) == ncol(x)) needed
  x
}

# Lists names, of many the first ones.
some_names <- function(names) {
  shown <- paste(encodeString(head(names, 5L), quote = "'"), collapse = ", ")
  if (length(names) > 5L) paste0(shown, " and ", length(names) - 5L, " more") else shown
}

# Asks the program for rows, and returns the columns that it writes, or what it prints.
ask_rows <- function(object, x, flags, folder, edges = NULL, columns = TRUE) {
  model <- file.path(folder, "model.lapsvm")
  save_bytes(object$model, model)
  data <- write_rows(x, folder, argument = "newdata")
  out <- file.path(folder, "out.npz")
  given <- object$control[intersect(names(object$control), c("threads", "memory", "embed", "embed_with", "embed_cache", "onnxruntime"))]
  if (length(given)) names(given) <- gsub("_", "-", names(given), fixed = TRUE)
  flags <- c(data$flags, flags[!vapply(flags, isFALSE, NA)], given, edges_flag(edges, folder, nrow(x), object$info$n), if (columns) list(output = out, to = "npz"))
  printed <- run("predict", c(model, data$path), flags, folder, isTRUE(object$control$verbose), read = !columns)
  if (columns) read_npz(out) else printed
}

# Returns decision values and, where asked for, probabilities, of the columns of results, which has them last.
answers <- function(object, columns, proba) {
  if (object$kind == "numbers") return(list(scores = columns[[length(columns)]]))
  classes <- length(object$info$classes)
  machines <- if (classes == 2L) 1L else classes
  last <- if (proba) utils::tail(columns, machines + classes) else utils::tail(columns, machines)
  scores <- do.call(cbind, unname(last[seq_len(machines)]))
  if (machines == 1L) scores <- cbind(-scores, scores)
  scores <- scores[, object$order, drop = FALSE]
  colnames(scores) <- object$levels
  prob <- NULL
  if (proba) {
    prob <- do.call(cbind, unname(last[-seq_len(machines)]))[, object$order, drop = FALSE]
    colnames(prob) <- object$levels
  }
  list(scores = scores, prob = prob, labels = columns$label)
}

# Returns the labels that the program writes, as y had them.
decide <- function(object, answer, columns) {
  if (object$kind == "numbers") return(answer$scores)
  as_labels(object, match(answer$labels, object$labels$names))
}

# Returns which classes (columns) rows may have.
sets <- function(object, lists, names) {
  out <- matrix(FALSE, length(lists), length(object$levels), dimnames = list(names, object$levels))
  at <- cbind(rep(seq_along(lists), lengths(lists)), match(unlist(lists), object$labels$names))
  out[at] <- TRUE
  out
}
