//go:build goexperiment.arenas

package trees

import (
	"arena"
	"runtime"
)

type memory struct{ *arena.Arena }

func begin() memory          { return memory{arena.NewArena()} }
func (m memory) node() *node { return arena.New[node](m.Arena) }
func (m memory) end()        { m.Free() }

// keep keeps the arena alive: only values inside it refer to it.
func (m memory) keep() { runtime.KeepAlive(m.Arena) }
