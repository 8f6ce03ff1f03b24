library(lapsvm)

# Ends a test where there is no program.
if (!has_lapsvm()) {
  cat("the program lapsvm is not here: this test is skipped\n")
  quit(status = 0)
}
options(warn = 1)

# Returns the message of the error that an expression signals, and stops where it signals none, or one of another class.
refused <- function(expression, class = "lapsvm_error") {
  e <- tryCatch({
    expression
    NULL
  }, error = identity)
  if (!inherits(e, class)) stop("no error of the class ", class, ": ", if (is.null(e)) "none" else conditionMessage(e))
  stopifnot(nzchar(e$fault), !grepl("--|\\.jsonl|\\.npz|settings\\.toml|/tmp", conditionMessage(e)))
  conditionMessage(e)
}
