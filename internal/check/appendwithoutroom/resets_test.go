package appendwithoutroom

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// text has the methods that the fix lets a bytes.Buffer take over from a strings.Builder.
type text interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
	WriteRune(r rune) (int, error)
	Grow(n int)
	Len() int
	Reset()
	String() string
}

// Whatever is done to them, a builder and a buffer return the same.
func TestBuilderAndBuffer(t *testing.T) {
	runes := []rune{'a', 'é', '世', '🙂', -1, 0xD800, 0x110000, 0, 0x7f, 0x80}
	step := func(x text, op, n int) string {
		switch op {
		case 0:
			written, err := x.WriteString(strings.Repeat("ä", n))
			return fmt.Sprint(written, err)
		case 1:
			written, err := x.WriteRune(runes[n%len(runes)])
			return fmt.Sprint(written, err)
		case 2:
			return fmt.Sprint(x.WriteByte(byte(n)))
		case 3:
			written, err := x.Write(make([]byte, n))
			return fmt.Sprint(written, err)
		case 4:
			written, err := fmt.Fprintf(x, "%d|%x", n, n)
			return fmt.Sprint(written, err)
		case 5:
			x.Grow(n)
		case 6:
			x.Reset()
		}
		return fmt.Sprintf("%d %q", x.Len(), x.String())
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var builder strings.Builder
		var buffer bytes.Buffer
		for range 100 {
			op, n := r.IntN(8), r.IntN(200)
			if one, other := step(&builder, op, n), step(&buffer, op, n); one != other {
				t.Fatalf("operation %d with %d: the builder has %s, the buffer %s", op, n, one, other)
			}
		}
	}
}
