package arenapb

import (
	"reflect"
	"sync"

	"google.golang.org/protobuf/proto"
)

var (
	tables   sync.Map   // reflect.Type of a pointer to a message → *table
	building sync.Mutex // held to add tables, so that a type has only one
)

// tableOf returns the table of a message's type.
func tableOf(typ reflect.Type, m proto.Message) *table {
	if t, ok := tables.Load(typ); ok {
		return t.(*table)
	}
	building.Lock()
	defer building.Unlock()
	if t, ok := tables.Load(typ); ok {
		return t.(*table)
	}
	made := &newTables{map[reflect.Type]*table{}, nil, newSlabIDs()}
	t := made.of(typ, m)
	made.slabs.publish()
	for _, t := range made.order {
		t.slabs = len(made.slabs.types)
	}
	made.check()
	for typ, t := range made.tables {
		tables.Store(typ, t)
	}
	return t
}

// slabIDs assigns ids to the types of slabs.
type slabIDs struct {
	types []reflect.Type
	ids   map[reflect.Type]uint32
}

// newSlabIDs begins with the ids that are in use.
func newSlabIDs() *slabIDs {
	s := &slabIDs{ids: map[reflect.Type]uint32{}}
	if used := slabTypes.Load(); used != nil {
		s.types = append(s.types, *used...)
	}
	for id, typ := range s.types {
		s.ids[typ] = uint32(id)
	}
	return s
}

func (s *slabIDs) of(typ reflect.Type) uint32 {
	id, ok := s.ids[typ]
	if !ok {
		id = uint32(len(s.types))
		s.types = append(s.types, typ)
		s.ids[typ] = id
	}
	return id
}

func (s *slabIDs) publish() { slabTypes.Store(&s.types) }
