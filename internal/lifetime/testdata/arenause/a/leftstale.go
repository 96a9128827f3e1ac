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
	fmt.Fprintln(b.lines, name)
	if b.lines.Len() < 4000 {
		return nil
	}
	return b.flush()
}

func (b *lineBatch) flush() error {
	_, err := b.out.Write(b.lines.Bytes())
	b.mem.Reset() // want `the field lines still refers to the memory that ended in line \d+, and nobody gives it a new value`
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

func (f *forest) plant() *oak { return f.trees.New() }

func (f *forest) clear() {
	f.mem.Free()
	f.mem = arena.NewArena() // want `the field trees still refers to the memory`
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
