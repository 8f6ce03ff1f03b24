// Package server serves models over HTTP: by the Open Inference Protocol, version 2, with
// JSON and with the binary tensor extension, and for rows in the formats that people have,
// CSV, JSON, JSON lines or Parquet. It serves the models of folders and files and follows
// their changes.
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
