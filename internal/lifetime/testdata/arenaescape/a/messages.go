package a

import (
	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// A getter of a message that lies in the message which was decoded.
func partNames(a *arena.Arena, data map[string][]byte) map[string][]string {
	all := map[string][]string{}
	o := arenapb.UnmarshalOptions{Text: arena.TextArena}
	defer a.Free()
	for key, text := range data {
		m := arena.New[pb.Book](a)
		if o.Unmarshal(a, text, m) == nil {
			for _, part := range m.Parts {
				all[key] = append(all[key], part.GetName())
			}
		}
	}
	return all // want `memory of the arena a is returned, but the deferred Free of a ends it`
}

// A struct that was copied out of a message has its text.
func editions(pool *arena.Pool, data []byte, counts map[string]int) error {
	a := pool.Get()
	defer a.Free()
	var m pb.Shelf
	if err := (arenapb.UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, data, &m); err != nil {
		return err
	}
	for _, label := range m.Labels {
		counts[label.Name]++ // want `memory of the arena a is kept in what counts refers to`
	}
	return nil
}
