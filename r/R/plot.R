# A map of the rows: where they lie, what they are taken for, which have labels.

plot.lapsvm <- function(x, newdata, y, ..., regions = TRUE, legend = TRUE, main = "") {
  object <- x
  rows <- if (missing(newdata)) object$x else new_rows(object, newdata)
  if (is.null(rows) || ncol(rows) == 0L) fail("data", "there are no rows to draw", "give newdata: a model of a file, or without features, keeps none")
  given <- if (!missing(y)) y else if (missing(newdata)) object$y
  taken <- if (missing(newdata)) fitted(object) else predict_rows(object, rows)
  labelled <- if (is.null(given)) logical(nrow(rows)) else !is.na(given) & nzchar(trimws(as.character(given)))
  plane <- if (two_numbers(rows)) as_plane(rows) else map(rows)
  names <- colnames(plane)
  shown <- if (object$kind == "numbers") ifelse(labelled, as.numeric(if (is.null(given)) NA else given), taken) else ifelse(labelled, as.character(given), as.character(taken))
  look <- if (object$kind == "numbers") looks_of_numbers(shown) else looks_of_classes(object, shown)
  sure <- if (object$kind != "numbers" && missing(newdata) && !is.null(object$prob)) apply(object$prob, 1L, max) else rep(1, nrow(rows))
  empty <- list(x = plane[, 1L], y = plane[, 2L], type = "n", xlab = names[1L], ylab = names[2L], main = main, las = 1)
  more <- list(...)
  do.call(plot, c(empty[setdiff(names(empty), names(more))], more))
  if (isTRUE(regions) && two_numbers(rows) && object$kind != "numbers") draw_regions(object, rows)
  order <- order(labelled)
  at <- plane[order, , drop = FALSE]
  some <- labelled[order]
  points(at[!some, , drop = FALSE], pch = look$pch[order][!some], col = adjustcolor_each(look$col[order], 0.35 + 0.5 * sure[order])[!some], cex = 0.9)
  points(at[some, , drop = FALSE], pch = look$filled[order][some], bg = look$col[order][some], col = "black", cex = 1.5, lwd = 1.5)
  if (isTRUE(legend)) {
    some <- any(labelled)
    graphics::legend("bottomleft", inset = c(0, 1), xpd = TRUE, bty = "n", ncol = min(length(look$names) + some, 7L), legend = c(look$names, if (some) "labelled"),
                     pch = c(look$signs, if (some) 21L), col = c(look$cols, if (some) "black"), pt.bg = "grey60", pt.cex = c(rep(1, length(look$names)), if (some) 1.5))
  }
  invisible(structure(as.data.frame(plane), names = names))
}

adjustcolor_each <- function(col, alpha) mapply(function(c, a) adjustcolor(c, a), col, pmin(alpha, 1), USE.NAMES = FALSE)

# Reports whether rows are two columns of numbers, which are a map of themselves.
two_numbers <- function(x) ncol(x) == 2L && (is.matrix(x) || is.data.frame(x) && all(vapply(x, is.numeric, NA)) && !anyNA(x))

as_plane <- function(x) {
  names <- if (is.null(colnames(x))) c("column 1", "column 2") else colnames(x)
  x <- as.matrix(x)
  dimnames(x) <- list(NULL, names)
  x
}

predict_rows <- function(object, rows) {
  with_folder(function(folder) {
    columns <- ask_rows(object, rows, list(scores = object$kind != "numbers"), folder)
    decide(object, answers(object, columns, FALSE))
  })
}

# Returns the two principal components of rows.
map <- function(x) {
  parts <- prcomp(numbers_for_map(x), rank. = 2L)
  share <- round(100 * parts$sdev[1:2]^2 / sum(parts$sdev^2))
  plane <- if (ncol(parts$x) < 2L) cbind(parts$x, 0) else parts$x
  dimnames(plane) <- list(NULL, paste0("principal component ", 1:2, " (", ifelse(is.na(share), 0, share), " %)"))
  plane
}

# Returns rows as a matrix of numbers: those of columns of one size, indicators of factors, words of texts, and medians in gaps.
numbers_for_map <- function(x, most = 100L) {
  if (inherits(x, "sparseMatrix")) {
    return(projected(x@i + 1L, rep(seq_len(ncol(x)), diff(x@p)), x@x, dim(x), most))
  }
  blocks <- if (is.matrix(x)) lapply(seq_len(ncol(x)), function(k) x[, k]) else lapply(seq_along(x), function(k) {
    column <- x[[k]]
    if (is.list(column)) column <- vapply(column, paste, "", collapse = " ")
    if (!is.character(column) && !is.factor(column)) {
      column <- as.numeric(column)
      column[is.na(column)] <- stats::median(column, na.rm = TRUE)
      return(column)
    }
    column <- as.character(column)
    column[is.na(column)] <- ""
    kinds <- unique(column)
    words <- if (length(kinds) <= 50L) as.list(column) else strsplit(tolower(column), "[^[:alnum:]]+")
    known <- unique(unlist(words))
    of <- rep(seq_along(words), lengths(words))
    block <- projected(of, match(unlist(words), known), rep(1, length(of)), c(length(column), length(known)), most)
    block / sqrt(2 * lengths(words) + (lengths(words) == 0L))
  })
  scaled <- lapply(blocks, function(block) if (is.matrix(block)) block else if (isTRUE(stats::sd(block) > 0)) (block - mean(block)) / stats::sd(block) else 0 * seq_along(block))
  out <- do.call(cbind, scaled)
  out[is.na(out)] <- 0
  out
}

# Returns a sparse matrix of these rows, columns and values as a dense one. In place of many columns it has sums of these with random signs, which keep distances.
projected <- function(row, column, value, dims, most) {
  out <- matrix(0, dims[1L], min(dims[2L], most))
  if (dims[2L] <= most) {
    out[cbind(row, column)] <- value
    return(out)
  }
  numbers <- seq_len(dims[2L])
  for (k in seq_len(most)) {
    signs <- ifelse(bitwAnd(as.integer(4096 * abs(sin(numbers * (k + 0.5)))), 1L) > 0L, 1, -1)
    sums <- rowsum(value * signs[column], row)
    out[as.integer(rownames(sums)), k] <- sums / sqrt(most)
  }
  out
}

# Returns colours and signs of classes: told apart without colour too.
looks_of_classes <- function(object, taken) {
  n <- length(object$levels)
  cols <- if (n <= 8L) palette.colors(9L, "Okabe-Ito")[c(6L, 2L, 4L, 8L, 3L, 7L, 1L, 5L)][seq_len(n)] else hcl.colors(n, "Dark 3")
  signs <- rep_len(c(1L, 2L, 0L, 5L, 6L, 3L, 4L, 8L), n)
  k <- match(as.character(taken), object$levels)
  list(col = unname(cols[k]), pch = signs[k], filled = c(21L, 24L, 22L, 23L, 25L, 21L, 21L, 21L)[(k - 1L) %% 8L + 1L], names = object$levels, cols = unname(cols), signs = signs)
}

# Returns colours of numbers, and what they say at five of these.
looks_of_numbers <- function(taken) {
  colours <- hcl.colors(64L, "viridis")
  range <- range(taken)
  place <- function(v) colours[1L + floor(63 * if (diff(range) > 0) (v - range[1L]) / diff(range) else 0 * v)]
  at <- unique(pretty(range, 4L))
  at <- at[at >= range[1L] & at <= range[2L]]
  list(col = place(taken), pch = rep(19L, length(taken)), filled = rep(21L, length(taken)), names = format(at), cols = place(at), signs = rep(19L, length(at)))
}

# Draws what the plane is taken for, lightly.
draw_regions <- function(object, rows, steps = 120L) {
  ends <- par("usr")
  across <- seq(ends[1L], ends[2L], length.out = steps)
  up <- seq(ends[3L], ends[4L], length.out = steps)
  grid <- as.matrix(expand.grid(across, up))
  dimnames(grid) <- list(NULL, colnames(rows))
  grid <- if (is.data.frame(rows)) as.data.frame(grid) else grid
  k <- matrix(match(as.character(suppressWarnings(predict_rows(object, grid))), object$levels), steps)
  look <- looks_of_classes(object, object$levels)
  image(across, up, k, add = TRUE, col = adjustcolor(look$cols, 0.12), breaks = seq_len(length(object$levels) + 1L) - 0.5)
  graphics::box()
}
