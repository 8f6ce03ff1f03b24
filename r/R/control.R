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
