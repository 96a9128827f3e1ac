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
	b := &builder{tables: map[reflect.Type]*table{}}
	t := b.table(typ, m)
	b.check()
	for typ, t := range b.tables {
		tables.Store(typ, t)
	}
	return t
}
