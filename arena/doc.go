// Package arena allocates values that die together, and lets their memory be
// used again at once: without the collector, and on stock Go.
//
// The API is that of Go's experimental arena package, so that changing the
// import path is the whole migration, and more: see docs/arena.md.
//
// An arena pays where much is allocated for one request, round or document and
// nothing of it is kept. It does not pay for little memory of which copies
// escape anyway.
//
// Pointers from arena values to the heap are legal, always: the collector knows
// the type of all memory. A pointer that outlives its arena is a bug but never
// corrupts memory: it reads or writes a value of its own type, an old one or one
// that the arena handed out since, because memory of a type with pointers or
// bools serves only this type again and other memory only numbers. Data races
// are excepted from that promise, as from every such promise in Go: two
// goroutines that use one interface, slice or string at once can tear it, and a
// stale pointer may meet a goroutine that its memory serves by now.
//
// An arena and its values must not be used by two goroutines at once.
// Under -race and -asan uses of freed memory are reported; the tag arenadebug
// finds late writes and leaks without cgo.
package arena
