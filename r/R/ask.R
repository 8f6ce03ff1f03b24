# Questions about rows and labels: why a row is decided so, which to label next, and which labels look wrong.

explain <- function(object, ...) UseMethod("explain")

explain.lapsvm <- function(object, newdata, n = 10, ...) {
  x <- if (!missing(newdata)) new_rows(object, newdata) else object$x
  if (is.null(x)) fail("data", "newdata is missing", "give the rows to explain: the model keeps no training rows")
  n <- min(whole(n, "n"), nrow(x))
  x <- x[seq_len(n), , drop = FALSE]
  ask <- function() with_folder(function(folder) ask_rows(object, x, list(explain = n), folder, columns = FALSE))
  said <- if (missing(newdata)) suppressWarnings(ask()) else ask() # the first rows of the training may differ from all of them
  structure(list(rows = lapply(said$explanations, explanation, object = object)), class = "lapsvm_explanation")
}

# Returns an explanation of the program's JSON.
explanation <- function(said, object) {
  columns <- as_frame(said$columns)
  columns <- columns[intersect(c("column", "value", "usual", "effect", "class"), names(columns))]
  called <- function(class) as.character(as_labels(object, match(class, object$labels$names)))
  numbers <- object$kind == "numbers"
  if (!numbers && !is.null(columns$class)) columns$class <- called(columns$class)
  list(label = if (numbers) as.numeric(said$label) else called(said$label), decision = said$decision, usual = said$usual_decision,
       sentence = if (numbers || identical(object$labels$names, object$levels)) said$sentence, columns = columns, rest = c(said$rest, 0)[1L])
}

print.lapsvm_explanation <- function(x, rows = 5L, columns = 5L, ...) {
  for (k in seq_len(min(rows, length(x$rows)))) {
    row <- x$rows[[k]]
    shown <- head(row$columns, columns)
    said <- if (length(row$sentence)) row$sentence else paste0(if (is.numeric(row$label)) signif(row$label, 5L) else row$label, ", decision value ", signif(row$decision, 3L))
    cat(strwrap(paste0("row ", k, ": ", said), exdent = 2L), sep = "\n")
    if (NROW(shown)) {
      value <- paste0(" = ", shown$value, ifelse(nzchar(shown$usual), paste0(" (usual ", shown$usual, ")"), ""))
      cat(paste0("  ", format(paste0(shown$column, value)), "  ", format(sprintf("%+.3g", shown$effect), justify = "right"), "\n"), sep = "")
    }
  }
  if (length(x$rows) > rows) cat("and ", length(x$rows) - rows, " more rows\n", sep = "")
  invisible(x)
}

as.data.frame.lapsvm_explanation <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- lapply(seq_along(x$rows), function(k) {
    row <- x$rows[[k]]
    if (NROW(row$columns)) data.frame(row = k, label = row$label[1L], row$columns, stringsAsFactors = FALSE)
  })
  out <- do.call(rbind, parts)
  if (is.null(out)) out <- data.frame(row = integer(), label = character(), column = character(), value = character(), usual = character(), effect = numeric())
  if (!is.null(row.names)) rownames(out) <- row.names
  out
}

suggest <- function(x, ...) UseMethod("suggest")

suggest.default <- function(x, y = NULL, n = 20, strategy = "auto", ..., edges = NULL) {
  question("suggest", x, y, settings(...), edges, list(number = whole(n, "n"), strategy = strategy))
}

suggest.formula <- function(x, data, ...) {
  parts <- by_formula(x, data)
  suggest.default(parts$x, parts$y, ...)
}

suggest.lapsvm <- function(x, n = 20, strategy = "auto", ...) {
  if (!is.null(dim(n))) fail("parameter", "n is a table", "a model suggests rows of its training: ask suggest(x, y) of other rows, with their labels so far or none")
  kept(x)
  question("suggest", x$x, x$y, shared_settings(x$control), x$edges, list(number = whole(n, "n"), strategy = strategy))
}

print.lapsvm_suggestions <- function(x, n = 10L, ...) {
  cat("Rows to label next, the best first:\n")
  told("row ", x$row, x$reason, n)
  invisible(x)
}

audit <- function(x, ...) UseMethod("audit")

audit.default <- function(x, y, ..., edges = NULL) {
  if (missing(y)) fail("no_labels", "y is missing", "give the labels to judge, NA where there is none")
  question("audit", x, y, settings(...), edges, list())
}

audit.formula <- function(x, data, ...) {
  parts <- by_formula(x, data)
  audit.default(parts$x, parts$y, ...)
}

audit.lapsvm <- function(x, ...) {
  kept(x)
  question("audit", x$x, x$y, shared_settings(x$control), x$edges, list())
}

print.lapsvm_audit <- function(x, n = 10L, ...) {
  wrong <- sum(x$suspicion >= 0.5)
  cat(nrow(x), " labels, of which ", wrong, " look", if (wrong == 1L) "s", " wrong (suspicion 0.5 or more)\n", sep = "")
  told("row ", paste0(x$row, ", suspicion ", sprintf("%.2f", x$suspicion)), x$why, min(n, max(wrong, 3L)))
  for (group in head(attr(x, "conflicts"), n)) {
    rows <- vapply(group, function(one) paste0(one$row, " (", one$class, ")"), "")
    cat(strwrap(paste("equal rows with different labels:", paste(rows, collapse = ", ")), width = 72L, exdent = 2L), sep = "\n")
  }
  invisible(x)
}

# Prints a sentence for each of the first items.
told <- function(before, items, sentences, n) {
  for (k in seq_len(min(n, length(sentences)))) cat(strwrap(paste0(before, items[k], ": ", sentences[k]), exdent = 4L, indent = 2L), sep = "\n")
  if (length(sentences) > n) cat("  and ", length(sentences) - n, " more\n", sep = "")
}

# Signals an error for a model that has not kept its rows.
kept <- function(object) {
  if (is.null(object$x)) fail("data", "the model has no training rows", "give rows and labels in its place, or train with keep = TRUE")
}

# Settings that train alone has: they are about the solver that makes a model.
of_training <- c("check_every", "compact", "max_iter", "stop", "time", "tolerance")

shared_settings <- function(control) control[setdiff(names(control), of_training)]

# Returns a whole number from 1.
whole <- function(n, name) {
  if (!is.numeric(n) || length(n) != 1L || is.na(n) || n < 1 || n != round(n)) fail("parameter", paste0(name, " is ", if (length(n) == 1L && is.atomic(n)) deparse(n) else paste0("of the class ", class(n)[1L], " and length ", length(n))), "give a whole number from 1")
  as.integer(min(n, .Machine$integer.max))
}

# Asks the program about rows and labels, and returns a data frame of what it answers.
question <- function(command, x, y, control, edges, flags) {
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  none <- is.null(y) || all(is.na(y))
  if (command == "audit" && none) fail("no_labels", "y has no labels", "label some rows first; suggest(x) says which to begin with")
  x <- if (is.null(x)) bare(if (is.null(y)) nrow(edges) else length(y)) else rows(x, table = any(column_settings %in% names(control)))
  labels <- if (none) list(kind = if (is.numeric(y) && !is.factor(y)) "numbers" else "none", text = rep(NA_character_, nrow(x))) else if (command == "suggest") suggested_labels(y, nrow(x)) else labels_of(y, nrow(x))
  with_folder(function(folder) {
    data <- write_rows(x, folder, labels$text)
    said <- run(command, data$path, c(data$flags, flags_of(control, x, labels, edges, folder), flags), folder, control$verbose)
    if (command == "suggest") return(structure(as_frame(said$points), class = c("lapsvm_suggestions", "data.frame"), strategy = said$strategy))
    out <- as_frame(said$labels)
    for (name in intersect(c("given", "suggested"), names(out))) if (labels$kind != "numbers") {
      out[[name]] <- as_labels(list(labels = labels, levels = labels$levels), match(out[[name]], labels$names))
    }
    structure(out, class = c("lapsvm_audit", "data.frame"), conflicts = said$conflicts, alike = said$alike)
  })
}

# Returns labels, which may be of one class as long as rows are asked for.
suggested_labels <- function(y, rows) {
  tryCatch(labels_of(y, rows), lapsvm_one_class = function(e) {
    text <- as.character(y)
    name <- unique(text[!is.na(text) & nzchar(trimws(text))])
    list(kind = "classes", levels = name, names = name, text = ifelse(text %in% name, name, NA))
  }, lapsvm_few_labels = function(e) list(kind = "numbers", text = ifelse(is.na(y), NA, sprintf("%.17g", as.double(y)))))
}
