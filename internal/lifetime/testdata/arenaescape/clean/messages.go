package clean

import (
	"io"

	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// The list is in the arena, and its text on the heap.
func authors(a *arena.Arena, data []byte) (all []string) {
	defer a.Free()
	m := new(pb.Book)
	if arenapb.Unmarshal(a, data, m) == nil {
		all = append(all, m.Authors...)
	}
	return all
}

// The lines end with their batch.
type batch struct {
	mem   *arena.Arena
	lines *arena.Buffer
	out   io.Writer
}

func (b *batch) flush() error {
	_, err := b.out.Write(b.lines.Bytes())
	b.mem.Reset()
	b.lines = arena.NewBuffer(b.mem, 4096)
	return err
}

func (b *batch) close() error {
	defer b.mem.Free()
	return b.flush()
}

// A struct that was copied out of a message is on the heap, as its text is.
func labels(pool *arena.Pool, data []byte) (many []pb.Label, err error) {
	a := pool.Get()
	defer a.Free()
	var m pb.Shelf
	if err := arenapb.Unmarshal(a, data, &m); err != nil {
		return nil, err
	}
	for _, label := range m.Labels {
		if label.Count > 100 {
			many = append(many, label)
		}
	}
	return many, nil
}
