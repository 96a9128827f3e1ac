//go:build !race && !asan && !arenadebug

package arenagrpc

// small is the size in bytes below which a message costs less on the heap than in an
// arena of its own.
const small = 64
