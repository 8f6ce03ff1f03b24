# The program lapsvm: where it is, how it is run, and what its errors become.

lapsvm_binary <- function() {
  ending <- if (.Platform$OS.type == "windows") ".exe" else ""
  given <- getOption("lapsvm.binary", Sys.getenv("LAPSVM_BINARY"))
  if (nzchar(given)) {
    if (!file.exists(given) && file.exists(paste0(given, ending))) given <- paste0(given, ending)
    if (!utils::file_test("-x", given) || dir.exists(given)) {
      fail("missing", paste0(if (is.null(getOption("lapsvm.binary"))) "LAPSVM_BINARY" else "options(lapsvm.binary = )", " is ", given, ", where there is no program"), "set it to the path of the program lapsvm, or leave it out")
    }
    return(normalizePath(given))
  }
  packaged <- system.file("bin", paste0("lapsvm", ending), package = "lapsvm")
  found <- if (nzchar(packaged)) packaged else unname(Sys.which("lapsvm"))
  if (!nzchar(found)) {
    fail("missing", "the program lapsvm was not found", "install a package that contains it (make r-package in the repository), or build it (go install ./cmd/lapsvm) and put it into PATH or its path into LAPSVM_BINARY")
  }
  found
}

# Signals an error that says what is wrong and what to do. kind names what is wrong, as the program does.
fail <- function(kind, fault, advice = "", call = NULL) {
  text <- if (nzchar(advice)) paste0(fault, "; ", advice) else fault
  stop(structure(list(message = text, call = call, fault = fault, advice = advice),
                 class = c(paste0("lapsvm_", kind), "lapsvm_error", "error", "condition")))
}

# Runs a command of the program in a folder of files of its own, and returns what it prints, as JSON has it.
# flags are a list by name. Lines of progress are shown where verbose is true. The
# line of every second ends the program where this process is no more.
run <- function(command, paths, flags, folder, verbose = FALSE, read = TRUE) {
  config <- file.path(folder, "settings.toml")
  out <- file.path(folder, "stdout.json")
  con <- file(config, "wb")
  writeLines(toml(flags), con, useBytes = TRUE)
  close(con)
  words <- c(command, paths, "--config", config, "--json", "--progress", "plain")
  con <- spoken(lapsvm_binary(), words, out)
  open <- TRUE
  on.exit(if (open) close(con))
  failure <- character()
  warnings <- list()
  repeat {
    line <- readLines(con, 1L, warn = FALSE)
    if (!length(line)) break
    Encoding(line) <- "UTF-8"
    k <- length(warnings)
    if (length(failure) || startsWith(line, "lapsvm: ")) {
      failure <- c(failure, sub("^lapsvm: ", "", line))
    } else if (startsWith(line, "warning: ")) {
      warnings[[k + 1L]] <- sub("^warning: ", "", line)
    } else if (k && startsWith(line, "  ")) {
      warnings[[k]] <- paste0(warnings[[k]], "\n", trimws(line))
    } else if (verbose) {
      message(sub("^reading [^:,]+", "reading the points", line))
    }
  }
  code <- attr(con, "code")
  code <- if (is.null(code)) close(con) else code
  open <- inherits(con, "textConnection")
  for (text in warnings) warning(worded(text, folder), call. = FALSE)
  if (is.null(code) || code == 0L) return(if (read) read_json(readLines(out, warn = FALSE, encoding = "UTF-8")))
  printed <- if (file.exists(out)) readLines(out, warn = FALSE, encoding = "UTF-8") else character()
  said <- if (length(printed)) tryCatch(read_json(printed[length(printed)]), error = function(e) NULL)
  text <- worded(paste(failure, collapse = "\n"), folder)
  kind <- if (is.list(said) && is.character(said$code)) said$code else if (code %in% c(2L, 512L)) "parameter" else "program"
  if (!nzchar(text)) text <- paste0("the program lapsvm ended by itself (code ", code, ")")
  if (grepl("^config file ", paste(failure, collapse = "\n"))) kind <- "parameter"
  if (is.list(said) && is.character(said$advice)) {
    fail(kind, worded(said$fault, folder), worded(said$advice, folder))
  }
  fail(kind, text)
}

# Starts the program and returns a connection to what it says on standard error; out is a file for its output. On Windows, whose
# shell reads quotes otherwise, the program has ended by then, and the connection has its exit code.
spoken <- function(program, words, out) {
  if (.Platform$OS.type != "windows") {
    return(pipe(paste(paste(shQuote(c(program, words)), collapse = " "), "2>&1 >", shQuote(out), "</dev/null"), "r"))
  }
  said <- paste0(out, ".said")
  code <- system2(program, shQuote(words, type = "cmd"), stdout = out, stderr = said, stdin = "")
  structure(textConnection(readLines(said, warn = FALSE, encoding = "UTF-8")), code = code)
}

# Returns flags as lines of TOML.
toml <- function(flags) {
  value <- function(v) {
    text <- if (is.logical(v)) ifelse(v, "true", "false") else if (is.character(v)) json_strings(v) else json_numbers(v)
    if (length(v) == 1L && is.null(attr(v, "list"))) text else paste0("[", paste(text, collapse = ", "), "]")
  }
  sprintf("%s = %s", names(flags), vapply(flags, value, ""))
}

# Returns the values of a flag that takes several, of which there may be one. Each is quoted where it has signs that separate them.
listed <- function(x) {
  x <- as.character(x)
  quoted <- grepl("[,\"\n\r]", x)
  x[quoted] <- paste0("\"", gsub("\"", "\"\"", x[quoted], fixed = TRUE), "\"")
  structure(x, list = TRUE)
}

# What the program advises that cannot be followed in R, and what is said in its place: labels are no column here, and names of rows are not kept.
elsewhere <- c(
  "; --drift FILE\\.json writes [^;]*" = "",
  "if the column holds the labels, give --label ('[^']*'|\"[^\"]*\"|[^\\s,;)]+), else " = "",
  "; if the column holds the labels, give --label ('[^']*'|\"[^\"]*\"|[^\\s,;)]+)" = "",
  "--id ('[^']*'|\"[^\"]*\"|[^\\s,;)]+) if it names the rows, or (--ignore ('[^']*'|\"[^\"]*\"|[^\\s,;)]+))" = "\\2 if it names the rows",
  "--id ('[^']*'|\"[^\"]*\"|[^\\s,;)]+)(, | or )" = "",
  "--ordered[ =]\\S+" = "an ordered factor",
  "\\blapsvm (suggest|audit)( --regression)?\\b" = "\\1()",
  "--regression" = "numbers in y",
  "or (choose )?the regression\\b" = "or give numbers in y",
  "--multi-label" = "several classes",
  "; see --help" = "; see ?lapsvm_control",
  "predict --proba" = "predict(type = \"prob\")")

# Returns a text of the program without the paths of its files, and with the names of arguments for flags.
worded <- function(text, folder) {
  text <- sub("^config file (\\S*settings\\.toml: )?", "", text)
  for (path in unique(c(folder, normalizePath(folder, mustWork = FALSE)))) {
    path <- gsub("([][{}()+*^$|\\\\?.])", "\\\\\\1", path)
    text <- gsub(paste0(path, "[/\\\\][a-z]+\\.jsonl:(\\d+)(:\\d+)?: "), "row \\1, ", text, perl = TRUE)
    text <- gsub(paste0(path, "[/\\\\][a-z]+\\.[a-z]+: "), "", text, perl = TRUE)
    text <- gsub(paste0(path, "[/\\\\]settings\\.toml"), "settings.toml", text, perl = TRUE)
    text <- gsub(paste0(path, "[/\\\\][a-z]+\\.[a-z]+\\b"), "the data", text, perl = TRUE)
  }
  for (pattern in names(elsewhere)) text <- gsub(pattern, elsewhere[[pattern]], text, perl = TRUE)
  given <- gregexpr("--(ignore|category|text) (?!(?:it|them|or|and|among|to|by)\\b)('[^']*'|\"[^\"]*\"|[^\\s,;)]+)|--[a-z-]+ ([0-9][0-9.]*(?<![.])|auto|labelled|balanced|off|on|none|landmarks|dual|deformed|columns)(?![a-z])", text, perl = TRUE)
  regmatches(text, given) <- lapply(regmatches(text, given), function(f) vapply(f, as_argument, ""))
  found <- regmatches(text, gregexpr("--[a-z][a-z-]*[a-z]", text))
  regmatches(text, gregexpr("--[a-z][a-z-]*[a-z]", text)) <- lapply(found, function(f) gsub("-", "_", substring(f, 3L), fixed = TRUE))
  for (name in setdiff(grep("_", names(formals(lapsvm_control)), value = TRUE), "word_vectors")) { # which is a word of describe too
    text <- gsub(paste0("\\b", gsub("_", "-", name, fixed = TRUE), "\\b"), name, text)
  }
  text
}

# Returns a flag with its value as an argument of R.
as_argument <- function(flag) {
  name <- gsub("-", "_", sub("^--([a-z-]+) .*", "\\1", flag), fixed = TRUE)
  value <- gsub("^['\"]|['\"]$", "", sub("^--[a-z-]+ ", "", flag))
  if (grepl("^[0-9.]+$", value) && !name %in% c("ignore", "category", "text")) return(paste(name, "=", value))
  paste(name, "=", encodeString(value, quote = "\""))
}

# Calls a function with a folder for files of the program, which is removed afterwards.
with_folder <- function(use) {
  folder <- tempfile("lapsvm-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  use(folder)
}

# Returns the bytes of a file, and writes them.
read_bytes <- function(path) readBin(path, "raw", file.size(path))

save_bytes <- function(data, path) {
  con <- file(path, "wb")
  on.exit(close(con))
  write_bytes(data, con)
}

has_lapsvm <- function() !inherits(try(lapsvm_binary(), silent = TRUE), "try-error")
