// Package server answers over HTTP with models: the Open Inference Protocol, version 2,
// with JSON and with the binary tensor extension, and rows as people have them, as CSV, JSON,
// JSON lines or Parquet. It holds the models of a folder and of files, and follows what
// changes there.
//
// A request is read whole and then takes one of a bounded number of places. It keeps to its
// end the version of its model that was served when it took the place. Rows of requests that
// come while others are computed are gathered into batches of at most [Limits].Batch. A
// request is computed at once where its model is idle. An answer has the bits of
// [lapsvm.Model.Scores], whichever batch its rows were in.
//
// Every address is a row of the table in routes.go. The handlers are registered and the
// OpenAPI document is made from this table. A bad request is answered with a problem, which
// has a status and says what to do.
package server
