package a

import (
	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

func decoded(a *arena.Arena, data []byte) []string {
	m := new(pb.Book)
	arenapb.Unmarshal(a, data, m)
	a.Free()
	return m.Authors // want `m.Authors is used after a.Free \(line \d+\), which ended its memory`
}

func deeper(a *arena.Arena, data []byte) string {
	m := new(pb.Book)
	arenapb.Unmarshal(a, data, m)
	a.Free()
	return m.First.Name // want `m.First is used after a.Free`
}

func whole(a *arena.Arena, data []byte) *pb.Book {
	m := new(pb.Book)
	arenapb.UnmarshalOptions{}.Unmarshal(a, data, m)
	a.Reset()
	return m // want `m is used after a.Reset`
}

func textInArena(a *arena.Arena, data []byte) string {
	m := new(pb.Book)
	arenapb.UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, data, m)
	a.Free()
	return m.Name // want `m.Name is used after a.Free`
}

func titleInArena(a *arena.Arena, data []byte) string {
	m := new(pb.Title)
	(arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, data, m)
	a.Free()
	return m.GetText() // want `m?.* is used after a.Free`
}

func messageInArena(a *arena.Arena, data []byte) string {
	m := arena.New[pb.Book](a)
	arenapb.Unmarshal(a, data, m)
	a.Free()
	return m.Name // want `m is used after a.Free`
}
