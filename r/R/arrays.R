# NumPy's archives (npz): arrays of numbers and texts with all of their bits, which the program reads and writes.

# Returns the bytes before the values of an array.
npy_header <- function(descr, shape, fortran = FALSE) {
  shape <- paste0(format(shape, scientific = FALSE, trim = TRUE), rep_len(",", length(shape)), collapse = " ")
  text <- sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, if (fortran) "True" else "False", shape)
  text <- paste0(formatC(text, width = -(-(-(nchar(text) + 11) %/% 64) * 64 - 11), flag = "-"), "\n")
  c(as.raw(c(0x93, utf8ToInt("NUMPY"), 1L, 0L)), writeBin(nchar(text), raw(), size = 2L, endian = "little"), charToRaw(text))
}

# Writes an archive of arrays. Each is a function that writes one to a connection.
write_npz <- function(path, arrays) {
  out <- file(path, "wb")
  on.exit(close(out))
  at <- 0
  central <- raw()
  for (name in names(arrays)) {
    packed <- gzip(arrays[[name]])
    file <- charToRaw(paste0(name, ".npy"))
    fields <- c(bytes(20, 2), bytes(0, 2), bytes(8, 2), bytes(0, 2), bytes(33, 2), packed$sum, bytes(length(packed$stream), 4), packed$size, bytes(length(file), 2), bytes(0, 2))
    write_bytes(c(charToRaw("PK\003\004"), fields, file), out)
    write_bytes(packed$stream, out)
    central <- c(central, charToRaw("PK\001\002"), bytes(20, 2), fields, bytes(0, 2), bytes(0, 2), bytes(0, 2), bytes(0, 4), bytes(at, 4), file)
    at <- at + 30 + length(file) + length(packed$stream)
    if (at >= 2^32) fail("data", "the points take more than 4 GB in a file", "give the program the file that they came from, and read the model with load_lapsvm")
  }
  count <- bytes(length(arrays), 2)
  write_bytes(c(central, charToRaw("PK\005\006"), bytes(0, 4), count, count, bytes(length(central), 4), bytes(at, 4), bytes(0, 2)), out)
}

# Returns what a member of an archive holds: the stream, its checksum and size, which a file of gzip has too.
gzip <- function(write) {
  path <- tempfile("lapsvm-")
  on.exit(unlink(path))
  con <- gzfile(path, "wb", compression = 0L)
  tryCatch(write(con), finally = close(con))
  all <- readBin(path, "raw", file.size(path))
  n <- length(all)
  list(stream = all[11:(n - 8L)], sum = all[(n - 7L):(n - 4L)], size = all[(n - 3L):n])
}

# Returns a whole number as so many bytes, the lowest first.
bytes <- function(value, count) as.raw(value %/% 256^(seq_len(count) - 1) %% 256)

# Writes bytes of any number.
write_bytes <- function(x, con) for (part in parts(length(x))) writeBin(x[part], con)

# Returns ranges of 1 to n of a size that connections take.
parts <- function(n, most = 2^26) lapply(seq_len(ceiling(n / most)), function(k) seq.int((k - 1) * most + 1, min(n, k * most)))

# The writers of arrays: numbers of any dimensions, whole numbers, and texts.
numbers_array <- function(x) {
  force(x)
  function(con) {
    dims <- if (is.null(dim(x))) length(x) else dim(x)
    writeBin(npy_header("<f8", dims, fortran = length(dims) > 1L), con)
    for (part in parts(length(x))) writeBin(as.double(x[part]), con, endian = "little")
  }
}

integers_array <- function(x) {
  force(x)
  function(con) {
    writeBin(npy_header("<i4", length(x)), con)
    for (part in parts(length(x))) writeBin(as.integer(x[part]), con, endian = "little")
  }
}

texts_array <- function(x) {
  force(x)
  function(con) {
    kinds <- unique(enc2utf8(x))
    points <- lapply(kinds, utf8ToInt)
    longest <- max(1L, lengths(points))
    padded <- matrix(vapply(points, function(p) c(p, integer(longest - length(p))), integer(longest)), longest)
    writeBin(npy_header(paste0("<U", longest), length(x)), con)
    for (part in parts(length(x), 2^22)) writeBin(as.vector(padded[, match(enc2utf8(x[part]), kinds)]), con, endian = "little")
  }
}

# Writes the format of a sparse matrix by columns, as SciPy names it.
csc_format <- function(con) writeBin(c(npy_header("|S3", numeric()), charToRaw("csc")), con)

# Returns the arrays of an archive that the program wrote, in their order. Its members are not compressed.
read_npz <- function(path) {
  all <- readBin(path, "raw", file.size(path))
  number <- function(at, count) sum(as.numeric(all[at + seq_len(count)]) * 256^(seq_len(count) - 1))
  end <- length(all) - 22
  if (end < 0 || !identical(all[end + 1:4], charToRaw("PK\005\006"))) {
    fail("program", "the program ended well and left no results", "see whether LAPSVM_BINARY, or the PATH, names another program than lapsvm")
  }
  at <- number(end + 16, 4)
  out <- list()
  for (k in seq_len(number(end + 10, 2))) {
    size <- number(at + 24, 4)
    name <- rawToChar(all[at + 46 + seq_len(number(at + 28, 2))])
    local <- number(at + 42, 4)
    if (number(at + 10, 2) != 0 || size >= 2^32 - 1) fail("program", "the program left results in a form that this package does not read", "use the program that came with the package")
    start <- local + 30 + number(local + 26, 2) + number(local + 28, 2)
    out[[sub("\\.npy$", "", name)]] <- read_npy(all[start + seq_len(size)])
    at <- at + 46 + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2)
  }
  out
}

# Returns the array of the bytes of a file of NumPy's.
read_npy <- function(all) {
  wide <- if (all[7L] == as.raw(1L)) 2L else 4L
  size <- sum(as.numeric(all[8L + seq_len(wide)]) * 256^(seq_len(wide) - 1))
  header <- rawToChar(all[8L + wide + seq_len(size)])
  descr <- sub(".*'descr': '([^']*)'.*", "\\1", header)
  shape <- as.numeric(strsplit(sub(".*'shape': \\(([^)]*)\\).*", "\\1", header), "[ ,]+")[[1L]])
  values <- all[-seq_len(8L + wide + size)]
  n <- prod(shape)
  out <- switch(substring(descr, 2L, 2L),
    f = readBin(values, "double", n, as.integer(substring(descr, 3L)), endian = "little"),
    i = , u = read_integers(values, n, as.integer(substring(descr, 3L))),
    b = as.logical(as.integer(values)),
    U = read_texts(values, n, as.integer(substring(descr, 3L))),
    S = rawToChar(values),
    stop("an array of the type ", descr, " is not read", call. = FALSE))
  if (length(shape) == 2L) matrix(out, shape[1L], shape[2L], byrow = !grepl("'fortran_order': True", header, fixed = TRUE)) else out
}

# Returns whole numbers of so many bytes, up to 2^53.
read_integers <- function(values, n, size) {
  if (size < 8L) return(readBin(values, "integer", n, size, endian = "little"))
  halves <- matrix(readBin(values, "integer", 2 * n, 4L, endian = "little"), 2L)
  halves[1L, ] + ifelse(halves[1L, ] < 0, 2^32, 0) + halves[2L, ] * 2^32
}

# Returns texts of a fixed length in four bytes a character.
read_texts <- function(values, n, length) {
  points <- matrix(readBin(values, "integer", n * length, 4L, endian = "little"), length)
  vapply(seq_len(n), function(k) intToUtf8(points[points[, k] > 0L, k]), "")
}
