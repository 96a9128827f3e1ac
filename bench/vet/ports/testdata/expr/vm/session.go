package vm

import (
	"sync"

	"github.com/heapwright/heapwright/arena"
)

var rooms = arena.Pool{Retain: 64 << 10}

// A Session runs programs one after another, each in the memory of the last.
type Session struct {
	vm   VM
	room *arena.Arena
}

// NewSession begins a session, which its caller has to close.
func NewSession() *Session {
	room := rooms.Get()
	s := arena.New[Session](room)
	s.room = room
	return s
}

// Close ends the session and all of its memory.
func (s *Session) Close() { s.room.Free() }

// Run runs a program. Its result is of the heap.
func (s *Session) Run(program *Program, env any) (any, error) {
	before := s.room.Mark()
	defer s.room.ResetTo(before)
	s.vm = VM{room: s.room, MemoryBudget: s.vm.MemoryBudget}
	s.vm.Stack = arena.MakeSlice[any](s.room, 0, 8)
	s.vm.Variables = arena.MakeSlice[any](s.room, program.variables, program.variables)
	s.vm.Scopes = arena.MakeSlice[*Scope](s.room, 0, 4)
	return s.vm.Run(program, env)
}

// A Trace is the text of the environments that a program failed with.
type Trace struct {
	mu   sync.Mutex
	text []string
}

// Each runs a program with every environment, workers at a time, each of them with
// a session of its own.
func (t *Trace) Each(program *Program, envs []any, workers int) []any {
	results := make([]any, len(envs))
	var group sync.WaitGroup
	for w := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			s := NewSession()
			defer s.Close()
			for i := w; i < len(envs); i += workers {
				var err error
				if results[i], err = s.Run(program, envs[i]); err != nil {
					t.failed(i, err)
				}
			}
		}()
	}
	group.Wait()
	return results
}

// failed notes a failure in one line.
func (t *Trace) failed(i int, err error) {
	room := rooms.Get()
	defer func() { room.Free() }()
	line := describe(room, i, err)
	t.mu.Lock()
	t.text = append(t.text, arena.Clone(line))
	t.mu.Unlock()
}

// Failures returns a line for each environment that the program failed with.
func (t *Trace) Failures() []string { return t.text }

// Names returns how often each function is called by a program.
func Names(program *Program) map[string]int {
	room := arena.NewArena()
	counts := arena.NewMap[string, int](room, len(program.debugInfo))
	for key, name := range program.debugInfo {
		if len(key) > 5 && key[:5] == "func_" {
			n, _ := counts.Get(name)
			counts.Set(name, n+1)
		}
	}
	if counts.Len() == 0 {
		room.Free()
		return nil
	}
	all := make(map[string]int, counts.Len())
	for name, n := range counts.All() {
		all[name] = n
	}
	room.Free()
	return all
}
