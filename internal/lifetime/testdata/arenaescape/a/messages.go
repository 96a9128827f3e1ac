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
