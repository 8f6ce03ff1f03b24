# Settings of a training. The arguments are written by the program's table of settings (go generate ./python).

lapsvm_control <- function(kernel = NULL, distances = NULL, sigma = NULL, degree = NULL, gamma = NULL,
  coef0 = NULL, gamma_a = NULL, gamma_i = NULL, neighbours = NULL,
  edge_weight = NULL, laplacian_degree = NULL, metric = NULL, weights = NULL,
  heat = NULL, recall = NULL, laplacian = NULL, loss = NULL, bias = NULL,
  criterion = NULL, describe = NULL, standardise = NULL, solver = NULL,
  stop = NULL, check_every = NULL, max_iter = NULL, tolerance = NULL, prior = NULL,
  class_weight = NULL, views = NULL, precision = NULL, most_points = NULL,
  landmarks = NULL, compact = NULL, seed = NULL, time = NULL, memory = NULL,
  threads = NULL, proba = TRUE, verbose = FALSE, coordinates = NULL, text = NULL,
  category = NULL, ignore = NULL, word_vectors = NULL, embed = NULL,
  embed_with = NULL, embed_cache = NULL, onnxruntime = NULL, image_shape = NULL,
  standardize = NULL, neighbors = NULL) {
  given <- mget(names(formals()), environment())
  given <- given[!vapply(given, is.null, NA)]
  for (other in intersect(names(american), names(given))) {
    if (!is.null(given[[american[[other]]]])) fail("parameter", paste0(other, " is ", american[[other]], " in another spelling"), "give one of the two")
    names(given)[names(given) == other] <- american[[other]]
  }
  for (name in names(given)) {
    value <- given[[name]]
    if (!is.atomic(value) || anyNA(value) || !length(value) && name != "describe") {
      fail("parameter", paste0(name, " is ", deparse(value)[1L]), "give a value, or leave it out, and it is chosen")
    }
    if (length(value) > 1L && !name %in% several) fail("parameter", paste0(name, " has ", length(value), " values"), "give one")
    if (is.factor(value)) given[[name]] <- as.character(value)
  }
  for (name in c("proba", "verbose")) {
    if (!is.logical(given[[name]])) fail("parameter", paste0(name, " is ", deparse(given[[name]])[1L]), "give TRUE or FALSE")
  }
  given
}

# Arguments under another name.
american <- c(standardize = "standardise", neighbors = "neighbours")

# Arguments that may have several values.
several <- c("describe", "prior", "class_weight", "coordinates", "text", "category", "ignore", "image_shape")

# Returns the settings of the arguments of another function. Signals an error for one that is none.
settings <- function(...) {
  given <- names(list(...))
  known <- names(formals(lapsvm_control))
  if (length(list(...)) && (is.null(given) || any(is.na(given) | !nzchar(given)))) fail("parameter", "an argument has no name", "name settings, as in sigma = 0.5; ?lapsvm_control lists them")
  unknown <- given[is.na(pmatch(given, known))]
  if (length(unknown)) {
    apart <- utils::adist(unknown[1L], known, ignore.case = TRUE)
    meant <- if (unknown[1L] %in% names(elsewhere_called)) elsewhere_called[[unknown[1L]]] else known[which.min(apart)][min(apart) <= max(1, nchar(unknown[1L]) / 2.5)]
    fail("parameter", paste0("there is no setting ", encodeString(unknown[1L], quote = "'")), paste0(if (length(meant)) paste0("did you mean ", meant, "? "), "?lapsvm_control lists all"))
  }
  lapsvm_control(...)
}

# What other packages call what is a setting here.
elsewhere_called <- c(C = "gamma_a, which falls where C rises", cost = "gamma_a, which falls where cost rises", lambda = "gamma_a", k = "neighbours", scale = "standardise", class.weights = "class_weight", probability = "proba")
