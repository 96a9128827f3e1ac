package arenajson

import (
	"strings"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/jsontext"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

// A decoder decodes into one arena. It stays in the slot of the arena's core with
// its slabs and the memory for the tape. The other fields are set for the time of a
// call and refer to nothing afterwards.
//
// Its decoding methods return the address behind the value, or nil to leave the whole
// input to json.Unmarshal: to return its error, or because a rare case is not worth
// code of its own.
type decoder struct {
	memory.Slabs
	tape []container
	key  []byte // a name with escapes

	// root is the root of the last target's type, which typ identifies.
	root *root
	typ  unsafe.Pointer

	base unsafe.Pointer // the copy of the input
	end  unsafe.Pointer // behind its last byte
	text unsafe.Pointer // the place of text
	data []byte         // the input
	next uint32         // index of the next container on the tape
	heap bool           // text that the input does not hold literally is on the heap
	busy bool           // decoding
}

// maxTape is how many containers fit the tape that a decoder keeps: 3 MiB, less than
// an arena keeps for their values.
const maxTape = 1 << 18

// decoderOf returns a decoder for a core: the one in its slot, unless that is busy.
func decoderOf(core memory.Core) *decoder {
	slot := core.Slot(memory.JSON)
	d, ok := (*slot).(*decoder)
	if !ok || d.busy {
		d = &decoder{Slabs: memory.NewSlabs(core, &slabTypes)}
		if !ok {
			*slot = d
		}
	}
	return d
}

// open places a copy of the input and its text.
func (d *decoder) open(data []byte, text arena.Text) {
	n := len(data)
	if text == arena.TextHeap {
		var block strings.Builder // unlike make, it clears nothing
		block.Grow(n + jsontext.Slack)
		block.Write(data)
		block.WriteByte(0)
		d.base = unsafe.Pointer(unsafe.StringData(block.String()))
	} else {
		d.base = d.Bytes(n+jsontext.Slack, 0)
		copy(unsafe.Slice((*byte)(d.base), n), data)
	}
	d.end = unsafe.Add(d.base, n)
	*(*[jsontext.Slack]byte)(d.end) = [jsontext.Slack]byte{}
	d.text, d.data, d.next, d.heap, d.busy = d.base, data, 0, text == arena.TextHeap, true
	if text == arena.TextAlias {
		d.text = unsafe.Pointer(unsafe.SliceData(data))
	}
}

// close forgets the input.
func (d *decoder) close() {
	d.base, d.end, d.text, d.data, d.busy = nil, nil, nil, nil, false
	if cap(d.tape) > maxTape {
		d.tape = nil
	}
}

// offset returns the place of p in the input.
func (d *decoder) offset(p unsafe.Pointer) int { return int(uintptr(p) - uintptr(d.base)) }

// literal returns the text between two places of the input.
func (d *decoder) literal(p, end unsafe.Pointer) string {
	n := int(uintptr(end) - uintptr(p))
	if n == 0 {
		return ""
	}
	return unsafe.String((*byte)(unsafe.Add(d.text, d.offset(p))), n)
}

// octets returns n bytes for text that the input does not hold literally.
func (d *decoder) octets(n int) []byte {
	if d.heap || n == 0 {
		return make([]byte, n)
	}
	return unsafe.Slice((*byte)(d.Bytes(n, 0)), n)
}

// skip returns the end of the value at p.
func (d *decoder) skip(p unsafe.Pointer) unsafe.Pointer {
	switch jsontext.Char(p) {
	case '{', '[':
		c := d.tape[d.next]
		d.next = c.next
		return unsafe.Add(d.base, c.end)
	case '"':
		return jsontext.SkipString(unsafe.Add(p, 1))
	case 't', 'n':
		return unsafe.Add(p, 4)
	case 'f':
		return unsafe.Add(p, 5)
	}
	return jsontext.SkipNumber(p)
}
