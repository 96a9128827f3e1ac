// Package release reads a program's source for what its goroutines wait for: the
// paths on which a lock is not unlocked, a body or a row is not closed, a WaitGroup
// is not done; who closes and receives from a channel; which line starts a goroutine.
//
// It follows the control flow of one function at a time. A value that is handed on,
// stored or returned is somebody else's to release.
//
// The stance: a path is named only if the source shows it. Where another function may
// release a thing, nothing is said.
package release
