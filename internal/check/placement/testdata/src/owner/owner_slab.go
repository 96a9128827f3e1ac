//go:build slab

package owner

type memory struct{ nodes []node }

func newMemory() memory { return memory{make([]node, 8)} }

func (m memory) node() *node { return &m.nodes[0] }

func (memory) free() {}
