// Package gc lets a cache age as collections pass.
package gc

import (
	"runtime"
	"weak"
)

// After calls f with p after the next collection, in a goroutine of the runtime, unless
// p is garbage by then. It does not keep p alive, and f must not refer to p.
func After[T any](p *T, f func(*T)) {
	// The collector may never call for a value without pointers (runtime.AddCleanup).
	type garbage struct{ _ *byte }
	runtime.AddCleanup(new(garbage), func(w weak.Pointer[T]) {
		if p := w.Value(); p != nil {
			f(p)
		}
	}, weak.Make(p))
}
