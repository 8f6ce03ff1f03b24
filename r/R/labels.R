# Labels as R has them, and as the program takes them.

# Returns what labels are: their kind ("classes", "ordered" or "numbers"), the type of y, for classes their levels and what the
# program calls these, and for every row the text of its label, NA where it has none.
labels_of <- function(y, rows) {
  if (is.null(y)) fail("no_labels", "y is missing", "give a label for each row, NA where there is none")
  if (is.data.frame(y) && ncol(y) == 1L) y <- y[[1L]]
  if (is.matrix(y) && ncol(y) == 1L) y <- y[, 1L]
  if (length(dim(y)) > 1L || is.data.frame(y)) fail("data", paste0("y has ", ncol(y), " columns"), "give one column; of several classes a row train one model for each")
  if (is.list(y)) fail("data", "y is a list", "give a factor, text or numbers, one for each row")
  if (length(y) != rows) fail("data", sprintf("y has %d labels, but x has %d rows", length(y), rows), "give one for each row, NA where there is none")
  if (inherits(y, c("Date", "POSIXt", "difftime"))) fail("data", paste0("y is of the class ", class(y)[1L]), "make it numbers with as.numeric, or a factor")
  if (is.numeric(y) && !is.factor(y)) return(numbers_of(y))
  if (!is.factor(y) && !is.character(y) && !is.logical(y)) fail("data", paste0("y is of the class ", class(y)[1L]), "give a factor, text, TRUE and FALSE, or numbers")
  type <- if (is.ordered(y)) "ordered" else if (is.factor(y)) "factor" else typeof(y)
  text <- as.character(y)
  text[!nzchar(trimws(text))] <- NA
  every <- if (is.factor(y)) levels(y) else sort(unique(text[!is.na(text)]))
  every <- every[!is.na(every) & nzchar(trimws(every))]
  used <- if (type == "ordered") every else every[every %in% text]
  there <- length(unique(text[!is.na(text)]))
  if (there < 2L) {
    fail(if (there) "one_class" else "no_labels", sprintf("y has labels of %s (%d rows, %d labelled)", if (there) paste0("one class, ", encodeString(unique(text[!is.na(text)]), quote = "'")) else "no class", rows, sum(!is.na(text))),
         if (there) "label rows of another class too" else "label rows of at least two classes; suggest(x) says which rows to begin with")
  }
  names <- class_names(used)
  list(kind = if (type == "ordered") "ordered" else "classes", type = type, every = every, levels = used, names = names, text = names[match(text, used)])
}

# Returns labels that are numbers.
numbers_of <- function(y) {
  value <- as.double(y)
  if (any(is.infinite(value))) fail("value", sprintf("y, row %d: the number is infinite", which(is.infinite(value))[1L]), "correct it, or make it NA for no label")
  different <- unique(value[!is.na(value)])
  if (length(different) < 2L) {
    fail(if (length(different)) "few_labels" else "no_labels", sprintf("y has %s (%d rows, %d labelled)", if (length(different)) "one number" else "no labels", length(value), sum(!is.na(value))),
         if (length(different)) "label rows with numbers that differ, or give factor(y) for classes" else "label some rows; suggest(x) says which to begin with")
  }
  if (length(different) <= 5L && all(different == round(different))) {
    warning("y is numeric, so numbers are predicted, though it has ", length(different), " different values alone: give factor(y) for classes",
            if (any(different == -1)) ". -1 is a value here: NA is no label", call. = FALSE)
  }
  list(kind = "numbers", type = "numeric", text = ifelse(is.na(value), NA, sprintf("%.17g", value)))
}

# Returns what classes are called in a model: by themselves, or by their numbers where a model cannot have such names.
class_names <- function(levels) {
  names <- trimws(levels)
  if (anyDuplicated(names)) {
    alike <- encodeString(levels[names == names[duplicated(names)][1L]], quote = "'")
    warning("y has classes that differ by blanks alone, ", alike[1L], " and ", alike[2L], ": they are two classes; trimws makes them one", call. = FALSE)
  }
  key <- names
  number <- grepl("^[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?$", names)
  key[number] <- sprintf("%.17g", as.numeric(names[number]))
  if (anyDuplicated(key) || any(grepl("[[:cntrl:]]", names)) || sum(nchar(names)) > longest) return(as.character(seq_along(levels)))
  names
}

# Returns labels by the indices of their levels, as y had them.
as_labels <- function(object, k) {
  switch(object$labels$type,
    factor = factor(object$levels[k], levels = object$labels$every),
    ordered = factor(object$levels[k], levels = object$labels$every, ordered = TRUE),
    logical = as.logical(object$levels[k]),
    object$levels[k])
}
