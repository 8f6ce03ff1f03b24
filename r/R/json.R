# JSON as the program prints it. A parser of its own spares a package that has to be installed.

# Matches one token: a string, a word or number, or a sign.
token <- "\"(?:[^\"\\\\]++|\\\\.)*+\"|[^\\s\"\\[\\]{},:]++|[\\[\\]{},:]"

# Returns the value of a JSON text: lists of objects, vectors of arrays whose elements are all texts, all
# numbers or all logical, and NA for null among them.
read_json <- function(text) {
  text <- enc2utf8(paste(text, collapse = "\n"))
  tokens <- regmatches(text, gregexpr(token, text, perl = TRUE, useBytes = TRUE))[[1L]]
  Encoding(tokens) <- "UTF-8"
  at <- 0L
  value <- function() {
    at <<- at + 1L
    word <- tokens[at]
    if (is.na(word)) stop("the JSON text ends within a value", call. = FALSE)
    switch(word, "{" = object(), "[" = array(), "true" = TRUE, "false" = FALSE, "null" = NULL,
           if (startsWith(word, "\"")) json_text(word) else as.numeric(word))
  }
  object <- function() {
    out <- list()
    while (tokens[at + 1L] != "}") {
      name <- json_text(tokens[at + 1L])
      at <<- at + 2L # the name and the colon
      out[name] <- list(value())
      if (tokens[at + 1L] == ",") at <<- at + 1L
    }
    at <<- at + 1L
    out
  }
  array <- function() {
    out <- list()
    k <- 0L
    while (tokens[at + 1L] != "]") {
      out[k <- k + 1L] <- list(value())
      if (tokens[at + 1L] == ",") at <<- at + 1L
    }
    at <<- at + 1L
    simple(out)
  }
  value()
}

# Returns a list as a vector where its elements are scalars of one type, or NULL.
simple <- function(values) {
  there <- values[!vapply(values, is.null, NA)]
  kinds <- unique(vapply(there, typeof, ""))
  if (!length(there) || length(kinds) > 1L || kinds == "list" || any(lengths(there) != 1L)) return(values)
  values[vapply(values, is.null, NA)] <- NA
  unlist(values)
}

# Returns the text of a JSON string with its quotes.
json_text <- function(word) {
  text <- substring(word, 2L, nchar(word) - 1L)
  if (!grepl("\\", text, fixed = TRUE)) return(text)
  parts <- regmatches(text, gregexpr("\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", text, perl = TRUE))[[1L]]
  code <- function(part) strtoi(substring(part, 3L), 16L)
  out <- character()
  high <- NULL
  for (part in parts) {
    if (startsWith(part, "\\u")) {
      point <- code(part)
      if (point >= 0xD800 && point < 0xDC00) {
        high <- point
        next
      }
      if (!is.null(high)) point <- 0x10000 + (high - 0xD800) * 0x400 + (point - 0xDC00)
      part <- intToUtf8(point)
    } else if (startsWith(part, "\\")) {
      letter <- substring(part, 2L)
      part <- switch(letter, n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", letter)
    }
    high <- NULL
    out <- c(out, part)
  }
  paste(out, collapse = "")
}

# Returns texts as JSON strings, which are strings of TOML too; NA is null.
json_strings <- function(x) {
  x <- enc2utf8(as.character(x))
  kinds <- unique(x)
  if (length(kinds) < length(x) / 2) return(json_strings(kinds)[match(x, kinds)])
  bad <- which(!is.na(x) & !validUTF8(x))
  if (length(bad)) fail("data", paste0("the text ", encodeString(x[bad[1L]], quote = "'"), " is not in the encoding it claims"), "read the data with its encoding, as read.csv(fileEncoding = ) does")
  out <- gsub("\\", "\\\\", x, fixed = TRUE)
  out <- gsub("\"", "\\\"", out, fixed = TRUE)
  for (at in grep("[\001-\037\177]", out)) {
    points <- utf8ToInt(out[at])
    signs <- intToUtf8(points, multiple = TRUE)
    control <- points < 32L | points == 127L
    signs[control] <- sprintf("\\u%04x", points[control])
    out[at] <- paste(signs, collapse = "")
  }
  ifelse(is.na(x), "null", paste0("\"", out, "\""))
}

# Returns numbers with all of their digits; what is missing is null.
json_numbers <- function(x) {
  if (is.integer(x)) ifelse(is.na(x), "null", as.character(x)) else ifelse(is.na(x), "null", sprintf("%.17g", x))
}
