package arenapb

import (
	"unsafe"
)

// A frame is a message that waits for a message inside it.
type frame struct {
	t    *table
	m    unsafe.Pointer
	end  uintptr
	run  run
	left int // remaining messages of the run
}

// A run is the memory shared by the messages of consecutive records of one field.
type run struct {
	f     *field
	list  *slice
	place unsafe.Pointer // the place of the pointer to the current one
}

// frames is how many messages wait in the frame of one call of message. Deeper
// ones take another call.
const frames = 8

// message decodes the fields of m, from p to end or to the end of a group. It returns
// the address at which it stopped, or nil on an error. At most depth messages may be
// nested.
func (d *decoder) message(t *table, m, p unsafe.Pointer, end uintptr, depth int, group uint32) unsafe.Pointer {
	if depth <= 0 {
		return d.fail(t, p, errDepth)
	}
	var (
		stack   [frames]frame
		waiting uint
		run     run
		left    int
	)
	if t.required {
		d.partial = true
	}
	for {
		if uintptr(p) >= end {
			switch {
			case uintptr(p) > end:
				d.fail(t, p, errTruncated)
				goto failed
			case left > 0:
				// The length is valid, as the run was counted.
				left--
				m = unsafe.Add(m, run.f.size)
				run.place = unsafe.Add(run.place, unsafe.Sizeof(m))
				*(*unsafe.Pointer)(run.place) = m
				p = unsafe.Add(p, run.f.tagLen)
				n := int(*(*byte)(p))
				if n < 0x80 {
					p = unsafe.Add(p, 1)
				} else {
					n, p = length(p)
				}
				end = uintptr(p) + uintptr(n)
				continue
			case waiting > 0:
				waiting--
				depth++
				last := &stack[waiting%frames]
				t, m, end, run, left = last.t, last.m, last.end, last.run, last.left
				continue
			case group != 0:
				d.fail(t, p, errGroup)
				goto failed
			}
			return p
		}

		start := p
		var f *field
		if b := *(*byte)(p); b < 0x80 {
			f, p = t.dense[b], unsafe.Add(p, 1)
		} else if f, p = t.wideTag(p, end); p == nil {
			d.fail(t, start, errTag)
			goto failed
		}
		at := unsafe.Add(m, f.offset)
		todo := f.op
	step:
		switch todo {
		case opText:
			n := int(*(*byte)(p))
			if n < 0x80 {
				p = unsafe.Add(p, 1)
			} else {
				n, p = length(p)
			}
			if n > int(end-uintptr(p)) {
				d.fail(t, start, errTruncated)
				goto failed
			}
			if !isASCII(p, n) && !d.isUTF8(p, n) {
				d.fail(t, start, errUTF8)
				goto failed
			}
			*(*string)(at) = d.str(p, n)
			p = unsafe.Add(p, n)

		case opMessage:
			n := int(*(*byte)(p))
			if n < 0x80 {
				p = unsafe.Add(p, 1)
			} else {
				n, p = length(p)
			}
			if n > int(end-uintptr(p)) {
				d.fail(t, start, errTruncated)
				goto failed
			}
			sub := *(*unsafe.Pointer)(at)
			if sub == nil {
				if s := d.Bound[f.values]; s.Left != 0 {
					s.Left -= f.size
					sub = unsafe.Add(s.Base, s.Left)
				} else {
					sub = d.take(f.values, 1, p)
				}
				*(*unsafe.Pointer)(at) = sub
			}
			if inner := f.table.only(p, n); inner != nil && depth > 1 {
				if p = d.onlyText(inner, sub, p, n); p == nil {
					d.fail(f.table, start, errUTF8)
					goto failed
				}
				continue
			}
			if waiting == frames || depth == 1 {
				if d.message(f.table, sub, p, uintptr(p)+uintptr(n), depth-1, 0) == nil {
					goto failed
				}
				p = unsafe.Add(p, n)
				continue
			}
			w := &stack[waiting%frames]
			w.t, w.m, w.end, w.run, w.left = t, m, end, run, left
			waiting++
			depth--
			t, m, end, left = f.table, sub, uintptr(p)+uintptr(n), 0
			if t.required {
				d.partial = true
			}

		case opOneof:
			i := (*iface)(at)
			box := i.data
			if i.tab != f.itab || box == nil {
				if box != nil && d.overwritten() {
					goto failed
				}
				if s := d.Bound[f.box]; s.Left != 0 {
					s.Left -= f.boxed
					box = unsafe.Add(s.Base, s.Left)
				} else {
					box = d.take(f.box, 1, p)
				}
				*i = iface{f.itab, box}
			}
			at = box
			todo = f.store
			goto step

		case opMessages:
			n := f.count(p, end)
			if n == 0 {
				d.fail(t, p, errTruncated)
				goto failed
			}
			if waiting == frames || depth == 1 {
				if p = d.messages(f, (*slice)(at), n, p, depth); p == nil {
					goto failed
				}
				continue
			}
			w := &stack[waiting%frames]
			w.t, w.m, w.end, w.run, w.left = t, m, end, run, left
			waiting++
			depth--
			run.f, run.list = f, (*slice)(at)
			run.place = d.extend(f, run.list, n, p)
			run.list.len += n
			t, m, left = f.table, d.several(f.values, n, f.size, p), n-1
			*(*unsafe.Pointer)(run.place) = m
			size := int(*(*byte)(p))
			if size < 0x80 {
				p = unsafe.Add(p, 1)
			} else {
				size, p = length(p)
			}
			end = uintptr(p) + uintptr(size)
			if t.required {
				d.partial = true
			}

		case opVarint64:
			v := uint64(*(*byte)(p))
			if v < 0x80 {
				p = unsafe.Add(p, 1)
			} else if v, p = varint(p); p == nil {
				d.fail(t, start, errVarint)
				goto failed
			}
			*(*uint64)(at) = v

		case opVarint32:
			v := uint64(*(*byte)(p))
			if v < 0x80 {
				p = unsafe.Add(p, 1)
			} else if v, p = varint(p); p == nil {
				d.fail(t, start, errVarint)
				goto failed
			}
			*(*uint32)(at) = uint32(v)

		case opFixed64:
			*(*uint64)(at) = load8(p)
			p = unsafe.Add(p, 8)

		case opFixed32:
			*(*uint32)(at) = load4(p)
			p = unsafe.Add(p, 4)

		case opOctets:
			n := int(*(*byte)(p))
			if n < 0x80 {
				p = unsafe.Add(p, 1)
			} else {
				n, p = length(p)
			}
			switch {
			case n > int(end-uintptr(p)):
				d.fail(t, start, errTruncated)
				goto failed
			case n == 0:
				*(*[]byte)(at) = nil
			default:
				*(*[]byte)(at) = d.raw(p, n)
			}
			p = unsafe.Add(p, n)

		case opPresent:
			*(*uint32)(unsafe.Add(m, f.word)) |= f.bit
			todo = f.then
			goto step

		case opBox:
			box := *(*unsafe.Pointer)(at)
			if box == nil {
				box = d.one(f.box, f.boxed, p)
				*(*unsafe.Pointer)(at) = box
			}
			at = box
			todo = f.store
			goto step

		case opUnknown:
			var ended bool
			if p, ended = d.unknownRecord(t, m, start, end, depth, group, waiting > 0); p == nil {
				goto failed
			} else if ended {
				return p
			}

		case opForeign:
			d.lazy = true
			if p = d.foreignRecord(t, m, start, end, depth); p == nil {
				goto failed
			}

		default:
			if p = d.value(todo, f, t, at, p, end, depth); p == nil {
				goto failed
			}
		}
	}

failed:
	// Lists end before the messages that were not reached.
	for left, list := left, run.list; ; left, list = stack[waiting].left, stack[waiting].run.list {
		if left > 0 {
			list.len -= left
		}
		if waiting == 0 {
			return nil
		}
		waiting--
	}
}

// wideTag returns the field of the tag at p that is longer than a byte, and the end of
// the tag; nil if the tag is invalid or exceeds the message.
func (t *table) wideTag(p unsafe.Pointer, end uintptr) (*field, unsafe.Pointer) {
	tag, p := varint(p)
	if p == nil || tag >= 1<<32 || uintptr(p) > end {
		return nil, nil
	}
	if tag < uint64(len(t.dense)) { // the encoding is longer than necessary
		return t.dense[tag], p
	}
	if tag < uint64(len(t.wide)) {
		return t.wide[tag], p
	}
	if f := t.rest[uint32(tag)]; f != nil {
		return f, p
	}
	return unknownField, p
}
