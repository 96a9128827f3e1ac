package arenapb

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// A decoder decodes into one arena. It stays in the slot of the arena's core
// with the slabs that it has bound. The other fields are set for the time of a
// call and refer to nothing afterwards.
type decoder struct {
	// table is the table of the last message's type, which tab identifies.
	table *table
	tab   unsafe.Pointer

	base, text unsafe.Pointer // the copy of the input, and the place of text
	input      unsafe.Pointer // the original of the copy, if it is in one piece
	end        uintptr        // the end of the copy
	copied     int            // bytes of the copy, if it is in the arena
	listed     int            // bytes of lists of numbers
	partial    bool           // required fields may be missing
	lazy       bool           // fields may be lazy, which a check for missing ones would decode
	merge      bool           // values may be overwritten
	again      bool           // the input is for proto.Unmarshal, since it overwrites a value
	foreign    proto.UnmarshalOptions
	spare      *entry // empty, for the next map
	err        error
	small      [64 + slack]byte // the copy of a small input without text

	memory.Slabs
}

// firstChunk divides the input's size: the first chunk of a slab is at most this part of
// it. Later ones are as large as the input ahead of them suggests.
const firstChunk = 4

// slabTypes are the types of all slabs, by id.
var slabTypes memory.Types

// decoderOf returns the decoder in a core's slot, ready for all complete tables.
func decoderOf(core memory.Core) *decoder {
	slot := core.Slot(memory.Protobuf)
	d, ok := (*slot).(*decoder)
	if !ok {
		d = &decoder{Slabs: memory.NewSlabs(core, &slabTypes)}
		d.foreign.Merge, d.foreign.AllowPartial = true, true
		*slot = d
	}
	d.Reserve()
	return d
}

// open copies the input of n bytes and determines where text lies. If a type has no
// text, nothing refers to a small copy, which lies in the decoder, and unknownRecord
// makes another for the heap if it needs one.
func (d *decoder) open(pieces [][]byte, n int, text arena.Text, hasText bool) {
	d.copied, d.listed = 0, 0
	inDecoder := !hasText && n+slack <= len(d.small)
	switch {
	case text == arena.TextHeap && hasText:
		d.base = onHeap(pieces, n+slack)
	case inDecoder:
		d.base = unsafe.Pointer(&d.small)
		join(d.base, n, pieces)
	default:
		d.copied = n + slack
		d.base = d.Bytes(d.copied, 0)
		join(d.base, n, pieces)
	}
	if len(pieces) == 1 {
		d.input = unsafe.Pointer(unsafe.SliceData(pieces[0]))
	}
	switch {
	case text == arena.TextAlias && d.input != nil:
		d.text = d.input
	case inDecoder || text == arena.TextHeap && !hasText:
		d.text = nil
	default:
		d.text = d.base
	}
	d.end = uintptr(d.base) + uintptr(n)
	d.err, d.partial, d.lazy, d.again = nil, false, false, false
}

// join copies the pieces to the n bytes at p.
func join(p unsafe.Pointer, n int, pieces [][]byte) {
	rest := unsafe.Slice((*byte)(p), n)
	for _, piece := range pieces {
		rest = rest[copy(rest, piece):]
	}
}

// onHeap returns a block of the heap that begins with the pieces.
func onHeap(pieces [][]byte, size int) unsafe.Pointer {
	var block strings.Builder // unlike make, it clears nothing
	block.Grow(size)
	for _, piece := range pieces {
		block.Write(piece)
	}
	return unsafe.Pointer(unsafe.StringData(block.String()))
}

// close forgets the input and the options.
func (d *decoder) close() {
	d.base, d.text, d.input, d.err = nil, nil, nil, nil
	d.foreign.DiscardUnknown, d.foreign.Resolver = false, nil
}

// take returns n zero values of the slab with an id for the input at p.
func (d *decoder) take(id uint32, n int, p unsafe.Pointer) unsafe.Pointer {
	return d.Take(id, n, 1+int(d.end-uintptr(d.base))/firstChunk, d.ahead(p))
}

// ahead returns how much memory the input from p on will take, in relation to the
// part before p: as much for each byte.
func (d *decoder) ahead(p unsafe.Pointer) float64 {
	return float64(d.end-uintptr(p)) / float64(uintptr(p)-uintptr(d.base)+1)
}

// one returns a zero value of the slab with an id for the input at p. Its values have
// that size.
func (d *decoder) one(id uint32, size uintptr, p unsafe.Pointer) unsafe.Pointer {
	if s := d.Bound[id]; s.Left != 0 {
		s.Left -= size
		return unsafe.Add(s.Base, s.Left)
	}
	return d.take(id, 1, p)
}

// several returns n zero values in a row.
func (d *decoder) several(id uint32, n int, size uintptr, p unsafe.Pointer) unsafe.Pointer {
	if s := d.Bound[id]; s.Left >= uintptr(n)*size {
		s.Left -= uintptr(n) * size
		return unsafe.Add(s.Base, s.Left)
	}
	return d.take(id, n, p)
}

// str returns the n bytes of text at p of the input's copy. An empty string
// refers to nothing.
func (d *decoder) str(p unsafe.Pointer, n int) string {
	if n == 0 {
		return ""
	}
	return unsafe.String((*byte)(unsafe.Add(d.text, uintptr(p)-uintptr(d.base))), n)
}

// isUTF8 reports whether the n bytes of text at p are UTF-8. It reads them in the input:
// that was read a moment ago, while the end of a big copy need not be in a cache.
func (d *decoder) isUTF8(p unsafe.Pointer, n int) bool {
	if d.input != nil {
		p = unsafe.Add(d.input, uintptr(p)-uintptr(d.base))
	}
	return utf8.Valid(unsafe.Slice((*byte)(p), n))
}

// raw returns the n bytes of text at p. Its capacity is n.
func (d *decoder) raw(p unsafe.Pointer, n int) []byte {
	if n == 0 {
		return []byte{}
	}
	return unsafe.Slice((*byte)(unsafe.Add(d.text, uintptr(p)-uintptr(d.base))), n)
}

// overwritten is called when a oneof or the entry of a map gets another value. It
// reports whether decoding must stop. The collector takes such values from a message
// on the heap, but an arena keeps them: input with many of them would take much more
// memory than with proto.Unmarshal. No encoder writes such input.
func (d *decoder) overwritten() bool {
	d.again = !d.merge
	return d.again
}

// fail records the first error and returns nil.
func (d *decoder) fail(t *table, p unsafe.Pointer, cause error) unsafe.Pointer {
	if d.err == nil {
		n := int(d.end - uintptr(d.base))
		d.err = &decodeError{t.desc.FullName(), min(int(uintptr(p)-uintptr(d.base)), n), cause}
	}
	return nil
}
