package arenajson

import (
	"encoding"
	"encoding/json"
	"reflect"
	"unsafe"
)

// foreign decodes a value that is left to json.Unmarshal or to methods of its own.
func (d *decoder) foreign(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	end := d.skip(p)
	target := reflect.NewAt(n.typ, at).Interface()
	var err error
	switch raw := d.data[d.offset(p):d.offset(end)]; {
	case n.op == opJSON:
		err = target.(json.Unmarshaler).UnmarshalJSON(raw)
	case n.op == opText && raw[0] == '"':
		s, _ := d.str(unsafe.Add(p, 1))
		err = target.(encoding.TextUnmarshaler).UnmarshalText(unsafe.Slice(unsafe.StringData(s), len(s)))
	default:
		err = json.Unmarshal(raw, target)
	}
	if err != nil {
		return nil
	}
	return end
}
