// Package labelpage serves a page to label on: the handlers behind it, the engine that
// learns labels while they come in, and the page itself, which is embedded.
//
// A request never waits for the machine. Labels are acknowledged once the store has
// them on disk; the engine, one goroutine that owns the machine, learns them behind,
// several at once where they come faster than it learns, and publishes snapshots that the
// handlers read. The addresses and their JSON are in the doc comments of the handlers.
//
// Who asks must have the token, by a cookie that the first address sets; Host and
// Origin must be the server's own, so that no other page can ask in its name.
package labelpage
