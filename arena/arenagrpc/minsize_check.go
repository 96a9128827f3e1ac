//go:build race || asan || arenadebug

package arenagrpc

// minSize is the encoded size in bytes from which on a message gets an arena. Builds that
// find misuse leave only empty messages on the heap: tests send small requests, and
// production larger ones to the same handlers.
const minSize = 1
