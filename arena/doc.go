// Package arena allocates values that die together, and reuses their memory without
// waiting for the collector. It runs on stock Go.
//
// The API includes everything of Go's experimental arena package, so that for most
// programs a changed import path is the whole migration.
//
// An arena pays if one request, round or document allocates a lot and keeps nothing.
// It does not pay for little memory of which copies escape anyway.
//
// Arena values may point to the heap: the collector knows the type of all memory. A
// pointer that outlives its arena is a bug, but does not corrupt memory. It reads or
// writes a value of its own type, an old one or one handed out since, because memory
// of a type with pointers or bools serves only that type again, and all other memory
// serves only numbers. As everywhere in Go, this does not hold under a data race:
// goroutines that use one interface, slice or string at once can tear it, and a stale
// pointer may race with a goroutine that uses the memory now.
//
// Two goroutines must not use an arena or its values at once. Builds with -race or
// -asan report uses of freed memory; the tag arenadebug finds late writes and leaks
// without cgo.
package arena
