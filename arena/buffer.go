package arena

import (
	"io"
	"unsafe"
)

// A Buffer collects bytes in an arena. It is an io.Writer, io.StringWriter,
// io.ByteWriter and io.ReaderFrom whose writes never fail. The zero Buffer uses the
// heap. A Buffer must not be copied. It must not be used after its arena is freed or
// reset, or is reset to a checkpoint taken before the buffer last grew.
type Buffer struct {
	_     noCopy
	arena *Arena
	bytes []byte
}

// firstBuffer is the first capacity in bytes, as in bytes.Buffer: short writes skip
// the first steps of growth.
const firstBuffer = 64

// NewBuffer returns an empty buffer in a with room for size bytes.
func NewBuffer(a *Arena, size int) *Buffer {
	b := New[Buffer](a)
	b.arena = a.owner()
	if size != 0 {
		b.bytes = MakeSlice[byte](a, 0, size)
	}
	return b
}

// Len returns the number of bytes written.
func (b *Buffer) Len() int { return len(b.bytes) }

// Bytes returns the bytes written, without a copy. Later writes do not change
// it.
func (b *Buffer) Bytes() []byte { return b.bytes[:len(b.bytes):len(b.bytes)] }

// String returns the text written, without a copy. Changing the result of Bytes
// changes the string.
func (b *Buffer) String() string {
	return unsafe.String(unsafe.SliceData(b.bytes), len(b.bytes))
}

// Write appends p. The error is always nil.
func (b *Buffer) Write(p []byte) (int, error) {
	if b.bytes == nil && len(p) < firstBuffer {
		b.bytes = MakeSlice[byte](b.arena, 0, firstBuffer)
	}
	b.bytes = Append(b.arena, b.bytes, p...)
	return len(p), nil
}

// WriteString appends s. The error is always nil.
func (b *Buffer) WriteString(s string) (int, error) {
	return b.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// WriteByte appends c. The error is always nil.
func (b *Buffer) WriteByte(c byte) error {
	_, err := b.Write([]byte{c})
	return err
}

// ReadFrom appends the data of r up to io.EOF. It returns the number of bytes, and
// any other error of r.
func (b *Buffer) ReadFrom(r io.Reader) (int64, error) {
	var total int64
	for {
		if len(b.bytes) == cap(b.bytes) {
			used := len(b.bytes)
			more := max(512, used) // like io.ReadAll, then doubling
			grown := MakeSlice[byte](b.arena, used, used+more)
			copy(grown, b.bytes)
			b.bytes = grown
		}
		n, err := r.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		total += int64(n)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}
