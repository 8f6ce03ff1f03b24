// Package labelpage serves a page to label on. It has the handlers behind the page, the engine
// that learns labels as they arrive, and the embedded page itself.
//
// A request never waits for the machine. Labels are acknowledged once the store has them on
// disk. The engine is one goroutine that owns the machine. It learns labels in the background,
// in groups where labels come faster than it learns, and publishes snapshots for the handlers
// to read. The addresses and their JSON are in the doc comments of the handlers.
//
// A request must carry the token; the page takes the token from its address and sends it in a
// header. Host and Origin must be the server's own, so that no other page can ask in its name.
package labelpage
