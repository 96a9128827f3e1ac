//go:build heaparena

package arena

// Backend names where the memory of arenas comes from in this binary: "slab",
// "heap" (tag heaparena) or "goarena" (tag goarena with GOEXPERIMENT=arenas).
const Backend = "heap"

// plainHeap makes every allocation one of the plain heap: the switch with which
// production can go back without a change of code.
const plainHeap = true

const merges = false // there are no chunks

type source struct{}

func sourceSlice[T any](_ *core, n int) []T { return make([]T, n) }

func (source) trimWhole(*core) bool  { return false }
func (source) recyclable(*core) bool { return true }
