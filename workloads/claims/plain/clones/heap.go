//go:build !goexperiment.arenas

package clones

type memory struct{}

func begin() memory { return memory{} }
func (memory) end() {}

//go:noinline
func (memory) record() *record { return new(record) }

//go:noinline
func (memory) list(n int) [][]byte { return make([][]byte, n) }

//go:noinline
func (memory) copy(b []byte) []byte { return append([]byte(nil), b...) }
