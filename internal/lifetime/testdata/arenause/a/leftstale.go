package a

import (
	"fmt"
	"io"

	"github.com/heapwright/heapwright/arena"
)

// Only the constructor makes the buffer, and flush ends it.
type lineBatch struct {
	mem   *arena.Arena
	lines *arena.Buffer
	out   io.Writer
}

func newLineBatch(out io.Writer) *lineBatch {
	a := arena.NewArena()
	return &lineBatch{mem: a, lines: arena.NewBuffer(a, 4096), out: out}
}

func (b *lineBatch) add(name string) error {
	fmt.Fprintln(b.lines, name) // want `the field lines still refers to the memory that ended in line \d+, and nobody gives it a new value`
	if b.lines.Len() < 4000 {
		return nil
	}
	return b.flush()
}

func (b *lineBatch) flush() error {
	_, err := b.out.Write(b.lines.Bytes())
	b.mem.Reset()
	return err
}

func (b *lineBatch) close() error {
	defer b.mem.Free()
	return b.flush()
}

// The slab belongs to the arena that clear frees.
type forest struct {
	mem   *arena.Arena
	trees *arena.Slab[oak]
}

type oak struct{ height int }

func newForest() *forest {
	a := arena.NewArena()
	return &forest{mem: a, trees: arena.NewSlab[oak](a)}
}

func (f *forest) plant() *oak { return f.trees.New() } // want `the field trees still refers to the memory`

func (f *forest) clear() {
	f.mem.Free()
	f.mem = arena.NewArena()
}

func (f *forest) close() { f.mem.Free() }

// The loop may end before it begins, which is no reason to think of its body.
func fell(f *forest, heights []int, last bool, report func(int)) {
	if last {
		f.close()
	}
	for _, h := range heights {
		if last {
			report(h)
		}
		f.plant().height = h // want `f is used after Free of the arena of f|f is used after f.mem.Free`
	}
}

// The commands of a session are functions that only the type of a state connects.
type session struct {
	mem   *arena.Arena
	names []string
}

func command(s *session, line string) {
	if line == "reset" {
		s.mem.Reset()
		return
	}
	s.names = arena.Append(s.mem, s.names, arena.String(s.mem, line))
}

func deliver(s *session, report func([]string)) {
	report(s.names) // want `the field names still refers to the memory`
}

func serve(lines []string, report func([]string)) {
	s := &session{mem: arena.NewArena()}
	defer s.mem.Free()
	for _, run := range []func(*session, string){command} {
		run(s, lines[0])
	}
	for _, run := range []func(*session, func([]string)){deliver} {
		run(s, report)
	}
}
