package arenapb

import (
	"unicode/utf8"
	"unsafe"
)

// Many messages are wrappers that hold one text, as the value of an OTLP
// attribute does. They need no frame of their own.

// only returns the field f if the n bytes at p are one record of the text field f,
// else nil.
func (t *table) only(p unsafe.Pointer, n int) *field {
	head := (*[2]byte)(p)
	if int(head[1]) != n-2 || head[0]|head[1] >= 0x80 {
		return nil
	}
	if f := t.dense[head[0]]; f.alone {
		return f
	}
	return nil
}

// onlyText stores the text of the record in the n bytes at p in the field f of m. It
// returns the end of the text, or nil if the text is not UTF-8.
func (d *decoder) onlyText(f *field, m, p unsafe.Pointer, n int) unsafe.Pointer {
	p, n = unsafe.Add(p, 2), n-2
	if !isASCII(p, n) && !utf8.Valid(unsafe.Slice((*byte)(p), n)) {
		return nil
	}
	at := unsafe.Add(m, f.offset)
	if f.op == opOneof {
		i := (*iface)(at)
		box := i.data
		if i.tab != f.itab || box == nil {
			if box != nil && d.overwritten() {
				return nil
			}
			box = d.one(f.box, f.boxed, p)
			*i = iface{f.itab, box}
		}
		at = box
	}
	*(*string)(at) = d.str(p, n)
	return unsafe.Add(p, n)
}
