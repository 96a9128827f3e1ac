//go:build race || asan || arenadebug

package arenagrpc

// small is the size in bytes below which a message stays on the heap. Builds that find
// misuse leave only empty messages there: tests send small requests, and production
// larger ones to the same handlers.
const small = 1
