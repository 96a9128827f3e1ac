//go:build !race && !asan && !arenadebug

package arenagrpc

// minSize is the encoded size in bytes from which on a message gets an arena. A smaller
// message costs less on the heap.
const minSize = 64
