# Rows as the program reads them: points in archives of NumPy's, tables as JSON lines.

# Returns x as a table or as a matrix of points, dense or sparse, without gaps. table says that a data frame is one, whatever it has.
rows <- function(x, name = "x", table = FALSE) {
  if (inherits(x, "sparseMatrix")) return(sparse(x, name))
  if (is.null(dim(x)) && is.numeric(x)) fail("data", paste0(name, " is a vector"), "give a matrix or a data frame with a row for each observation, such as cbind(size = x)")
  if (is.table(x)) fail("data", paste0(name, " is a table of counts"), "give a matrix (unclass) or a data frame with a row for each observation")
  if (is.data.frame(x)) {
    x <- table_of(x, name)
    return(if (table) x else plain(x, name))
  }
  if (!is.matrix(x)) fail("data", paste0(name, " is of the class ", class(x)[1L]), "give a data frame, a matrix, or a sparse matrix of the package Matrix")
  if (!is.numeric(x) && !is.logical(x) || anyNA(x)) {
    if (is.complex(x) || is.list(x)) fail("data", paste0(name, " is a matrix of the type ", typeof(x)), "give numbers, or a data frame")
    if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
    return(table_of(as.data.frame(x, stringsAsFactors = FALSE), name))
  }
  some(x, name)
  finite(x, function(at) place(name, (at - 1L) %% nrow(x) + 1L, column_name(x, (at - 1L) %/% nrow(x) + 1L)))
  storage.mode(x) <- "double"
  x
}

# Returns a table of numbers alone, without gaps and without a column that may name the rows, as points: a matrix.
plain <- function(x, name) {
  numbers <- vapply(x, function(column) is.numeric(column) && !is.object(column) && !anyNA(column) && !(anyDuplicated(column) == 0L && all(column == round(column))), NA)
  if (!all(numbers)) return(x)
  names <- row_names(x)
  x <- as.matrix(x)
  rownames(x) <- names
  rows(x, name)
}

# Returns the names of rows, NULL where they are their numbers alone.
row_names <- function(x) {
  names <- rownames(x)
  if (!identical(names, as.character(seq_len(nrow(x))))) names
}

# Returns a sparse matrix by its columns.
sparse <- function(x, name) {
  if (!inherits(x, "dgCMatrix")) {
    if (!requireNamespace("Matrix", quietly = TRUE)) fail("data", paste0(name, " is of the class ", class(x)[1L], ", which takes the package Matrix"), "install it, or give a dgCMatrix")
    x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  }
  some(x, name)
  finite(x@x, function(at) place(name, x@i[at] + 1L, column_name(x, findInterval(at - 1L, x@p))), gaps = TRUE)
  x
}

# Signals an error for a table without rows or columns.
some <- function(x, name) {
  if (nrow(x) < 1L || ncol(x) < 1L) fail("data", paste0(name, " has ", nrow(x), " rows and ", ncol(x), " columns"), "give one of each at least")
}

# Signals an error for the first number that is not finite.
finite <- function(values, where, gaps = FALSE) {
  at <- which(!is.finite(values) & (gaps | !is.na(values)))
  if (length(at)) fail("value", paste0(where(at[1L]), ": ", if (is.na(values[at[1L]])) "a number is missing in a sparse matrix" else "the number is infinite"), "correct it, or leave a gap (NA) in a data frame")
}

# Names a row and a column of an argument.
place <- function(name, row, column) paste0(name, ", row ", row, ", column ", column)

column_name <- function(x, k) if (is.null(colnames(x))) as.character(k) else encodeString(colnames(x)[k], quote = "'")

# Returns a data frame whose columns have names of their own and are no matrices.
table_of <- function(x, name) {
  some(x, name)
  flat <- list()
  for (k in seq_along(x)) {
    column <- x[[k]]
    if (length(dim(column)) == 2L) { # of poly, scale, cbind and the like
      own <- if (is.null(colnames(column))) seq_len(ncol(column)) else colnames(column)
      parts <- lapply(seq_len(ncol(column)), function(j) as.vector(column[, j]))
      flat <- c(flat, if (ncol(column) == 1L) structure(parts, names = names(x)[k]) else structure(parts, names = paste(names(x)[k], own, sep = ".")))
    } else {
      flat[length(flat) + 1L] <- list(column)
      names(flat)[length(flat)] <- names(x)[k]
    }
  }
  twice <- names(flat)[duplicated(names(flat))]
  if (length(twice)) fail("columns", paste0(name, " has more than one column ", encodeString(twice[1L], quote = "'")), "give every column a name of its own, as make.unique does")
  if (any(is.na(names(flat)) | !nzchar(names(flat)))) fail("columns", paste0(name, " has a column without a name"), "give every column a name")
  structure(flat, class = "data.frame", row.names = .row_names_info(x, 0L))
}

# What the program takes for a gap wherever it reads words, beside the empty text.
gaps <- c("?", "na", "nan", "n/a", "#n/a", "#n/a n/a", "#na", "<na>", "null", "-nan", "1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan")

# Returns the fields of a column as JSON.
fields <- function(column, name, argument) {
  where <- function(at) place(argument, at, encodeString(name, quote = "'"))
  if (inherits(column, "POSIXt")) {
    column <- as.POSIXct(column)
    text <- sub("\\.?0+$", "", format(column + 5e-7, "%Y-%m-%dT%H:%M:%OS6", tz = "UTC")) # to the nearest millionth of a second
    return(json_strings(ifelse(is.na(column), NA, paste0(text, "Z"))))
  }
  if (inherits(column, "Date")) return(json_strings(format(column, "%Y-%m-%d")))
  if (inherits(column, "difftime")) column <- as.numeric(column, units = "days")
  if (is.factor(column) || is.character(column)) {
    column <- as.character(column)
    column[column %in% "None"] <- "none" # as a word: the other is Python's for a gap
    taken <- unique(column[tolower(trimws(column)) %in% gaps])
    if (length(taken)) warning("the column ", encodeString(name, quote = "'"), " of ", argument, " has the value ", encodeString(taken[1L], quote = "'"), ", which is taken for a gap: rename it where it is none", call. = FALSE)
    return(json_strings(column))
  }
  if (inherits(column, "integer64")) fail("value", paste0(where(1L), ": numbers of 64 bits are not taken"), "make them numbers with as.numeric, or text with as.character")
  if (is.logical(column)) return(ifelse(is.na(column), "null", ifelse(column, "true", "false")))
  if (is.numeric(column)) {
    column <- if (is.integer(column)) as.vector(unclass(column)) else as.double(column)
    finite(column, where)
    return(json_numbers(column))
  }
  if (is.list(column)) return(vapply(seq_along(column), function(k) vector_field(column[[k]], function() where(k)), ""))
  fail("value", paste0(where(1L), ": values of the class ", class(column)[1L], " are not taken"), "make it numbers, text, a factor or dates, or leave the column out")
}

# Returns the vector of one row, or its list of words, as JSON.
vector_field <- function(value, where) {
  if (!length(value) || length(value) == 1L && is.na(value)) return("null")
  if (is.numeric(value)) {
    if (!all(is.finite(value))) fail("value", paste0(where(), ": a number of the vector is not finite"), "correct it, or leave a gap (NA) for the whole vector")
    return(paste0("[", paste(json_numbers(value), collapse = ","), "]"))
  }
  if (is.character(value)) return(json_strings(paste0("[", paste(json_strings(value), collapse = ","), "]")))
  fail("value", paste0(where(), ": a list holds values of the class ", class(value)[1L]), "give vectors of numbers or of words, or make a column of each value")
}

# Returns a name for the column of labels beside those of a table.
label_name <- function(x) {
  name <- "label"
  while (name %in% tolower(names(x))) name <- paste0(name, "_")
  name
}

# Writes rows, and their labels where there are any, into a folder. Returns the path, and the flags that say how they are read.
write_rows <- function(x, folder, labels = NULL, argument = "x") {
  if (is.data.frame(x)) {
    columns <- lapply(names(x), function(name) fields(x[[name]], name, argument))
    names <- names(x)
    if (!is.null(labels)) {
      names <- c(names, label_name(x))
      columns[[length(names)]] <- json_strings(labels)
    }
    path <- file.path(folder, "data.jsonl")
    con <- file(path, "wb")
    on.exit(close(con))
    parts <- Map(function(name, column, k) paste0(if (k == 1L) "{" else ",", json_strings(name), ":", column), names, columns, seq_along(names))
    lines <- if (length(parts)) do.call(paste0, unname(parts)) else rep("{", nrow(x))
    writeLines(paste0(lines, "}"), con, useBytes = TRUE)
    return(list(path = path, flags = c(list(format = "jsonl"), if (!is.null(labels)) list(label = names[length(names)]))))
  }
  path <- file.path(folder, "data.npz")
  arrays <- if (is.matrix(x)) list(X = numbers_array(x)) else
    list(data = numbers_array(x@x), indices = integers_array(x@i), indptr = integers_array(x@p), shape = integers_array(dim(x)), format = csc_format)
  names <- colnames(x)
  if (!is.null(names) && !anyDuplicated(names) && all(nzchar(names)) && !any(grepl("[[:cntrl:]]", names))) arrays$feature_names <- texts_array(names)
  if (!is.null(labels)) arrays$y <- texts_array(ifelse(is.na(labels), "", labels))
  write_npz(path, arrays)
  list(path = path, flags = list(format = "npz"))
}

# Returns the columns that are categories whatever their values look like.
factors <- function(x) if (is.data.frame(x)) names(x)[vapply(x, function(column) is.factor(column) && !all(is.na(column)), NA)]

# Returns the flag for edges between rows, which are a matrix of weights, sparse or dense.
write_edges <- function(edges, folder, rows, columns = rows) {
  if (is.matrix(edges)) {
    at <- which(is.na(edges) | edges != 0)
    edges <- list(i = (at - 1L) %% nrow(edges), p = c(0L, cumsum(tabulate((at - 1L) %/% nrow(edges) + 1L, ncol(edges)))), x = as.double(edges[at]), dim = dim(edges))
  } else {
    if (!inherits(edges, "sparseMatrix")) fail("data", paste0("edges are of the class ", class(edges)[1L]), "give a matrix of weights, dense or sparse, with a row and a column for each row of x")
    edges <- sparse(edges, "edges")
    edges <- list(i = edges@i, p = edges@p, x = edges@x, dim = dim(edges))
  }
  if (!identical(as.numeric(edges$dim), as.numeric(c(rows, columns)))) {
    fail("data", sprintf("edges have %d rows and %d columns", edges$dim[1L], edges$dim[2L]), sprintf("give %d rows and %d columns, one for each row of the data", rows, columns))
  }
  if (!all(is.finite(edges$x))) fail("value", "edges have a weight that is no finite number", "correct it; 0 is no edge")
  path <- file.path(folder, "edges.npz")
  write_npz(path, list(data = numbers_array(edges$x), indices = integers_array(edges$i), indptr = integers_array(edges$p), shape = integers_array(edges$dim), format = csc_format))
  path
}
