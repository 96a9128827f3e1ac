package clean

import (
	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Text is on the heap, unless the options say otherwise.
func text(a *arena.Arena, data []byte) (string, []byte, int64) {
	m := new(pb.Book)
	arenapb.Unmarshal(a, data, m)
	a.Free()
	return m.Name, m.Data, m.Number
}

func getter(a *arena.Arena, data []byte) string {
	m := new(pb.Book)
	(arenapb.UnmarshalOptions{Text: arena.TextHeap}).Unmarshal(a, data, m)
	a.Free()
	return m.GetName()
}

// A message of text alone refers to nothing in the arena.
func title(a *arena.Arena, data []byte) *pb.Title {
	m := new(pb.Title)
	arenapb.Unmarshal(a, data, m)
	a.Free()
	return m
}

func beforeFree(a *arena.Arena, data []byte) int {
	m := new(pb.Book)
	arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, data, m)
	n := len(m.Name)
	a.Free()
	return n
}
