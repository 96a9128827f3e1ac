//go:build !heaparena && !(goarena && goexperiment.arenas)

package arena

// Backend names where the memory of arenas comes from in this binary: "slab",
// "heap" (tag heaparena) or "goarena" (tag goarena with GOEXPERIMENT=arenas).
const Backend = "slab"

// merges reports whether a chunk can be given back alone.
const merges = true

// plainHeap makes every allocation one of the plain heap.
const plainHeap = false

// A source of chunks: in this backend the ordinary heap, so that the collector
// knows the type of all memory and scans it precisely.
type source struct{}

func sourceSlice[T any](_ *core, n int) []T { return make([]T, n) }

// trimWhole trims c if the source can only give back everything at once.
func (source) trimWhole(*core) bool { return false }

// recyclable reports whether the core of a freed arena can serve another.
func (source) recyclable(*core) bool { return reuse }
