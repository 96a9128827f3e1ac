// Package arenahttp gives every request of an HTTP server an arena, and frees it when
// the handler has returned.
//
// The arena of a request is in its context, [arena.FromContext], and lives until
// ServeHTTP returns. After a panic the collector takes it. Bytes passed to Write by
// then have been copied or sent, so a response may be built in the arena. Names and
// values of its header and trailer may, too, but then the memory of the arena is not used
// again (see [NewHandler]): copy them to the heap with [arena.Clone]. Other values that are
// read later must not refer to the arena:
//
//   - the request's fields, such as its URL and Header, and anything else that
//     middleware around this handler reads when it has returned, an access log for
//     example;
//   - values kept for other requests: caches, sessions, metrics, attributes of logs
//     that are written later. [arena.Promote] copies a value to the heap;
//   - goroutines that outlive the handler. One that works for the handler may
//     read the arena if the handler waits for it, but an arena serves one
//     goroutine at a time;
//   - a hijacked connection: the arena ends with the handler as always, so the code
//     that serves the connection after that takes an arena of its own from the pool.
//
// Handlers must not free the arena, but may Reset it, as in long streams of
// events. Code without this middleware finds a nil arena, the plain heap.
//
// [http.TimeoutHandler] returns while its handler still runs: put [NewHandler]
// inside it, not around it.
//
//	var pool arena.Pool
//	mux.Handle("/tree", arenahttp.NewHandler(http.HandlerFunc(tree), &pool))
//
//	func tree(w http.ResponseWriter, r *http.Request) {
//		a := arena.FromContext(r.Context())
//		root := arena.New[node](a)
//		...
//	}
package arenahttp
