// Package server answers over HTTP with models: the Open Inference Protocol, version 2,
// with JSON and with the binary tensor extension, and rows as people have them, as CSV, JSON,
// JSON lines or Parquet. It holds the models of a folder and of files, and follows what
// changes there.
//
// A request is read whole, then takes one of a bounded number of places, and the version of
// its model that is served at that moment, which it keeps to its end. Rows of requests that
// come while others are computed are gathered into batches of at most [Limits].Batch; a
// request that finds the model idle is computed at once. An answer has the bits of
// [lapsvm.Model.Scores], whatever it was gathered with.
//
// Every address is a row of the table in routes.go, from which the handlers are registered
// and the OpenAPI document is made. What is wrong with a request is a problem, which has its
// status and says what to do.
package server
