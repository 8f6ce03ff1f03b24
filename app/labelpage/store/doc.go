// Package store keeps people's annotations of the rows of a data set in a file of SQLite: labels,
// doubts, comments, classes. Events are only ever added, each is on the disk before [Store.Append]
// returns, and the [State] is a replay of them.
//
//	s, err := store.Open("points.csv.labels.db", store.Data{Name: "points.csv", Hashes: hashes})
//	seqs, err := s.Append(ctx, "anna", []store.Event{{Kind: store.Label, Row: 16, Class: 3, Key: "3f9a…"}})
//	s.View(func(st *store.State) { labels := st.Settled() })
//
// A key chosen by the client identifies an event: an event sent again is recognised and not added
// again. Rows are recognised by a hash of their contents, so labels follow contents that moved.
// Labels of missing contents are kept and reported, but never given to other rows. This happens on
// [Open], and on [Store.Change] while the store is open.
//
// One process writes: SQLite holds a lock on the file FILE-lock beside the store while the store is
// open. The lock is free once the process has ended, in any way. Any tool of SQLite may read
// meanwhile. The schema is in docs/manual/labelling.md.
//
// Failures are of type [*Error], and its text says what to do.
package store
