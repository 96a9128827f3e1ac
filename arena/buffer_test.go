package arena

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestBuffer(t *testing.T) {
	for name, a := range map[string]*Arena{"arena": NewArena(), "nil": nil} {
		t.Run(name, func(t *testing.T) {
			defer a.Free()
			var want bytes.Buffer
			b := NewBuffer(a, 3)
			w := io.MultiWriter(b, &want)
			for i := range 500 {
				fmt.Fprintf(w, "%d,", i)
			}
			before := b.Bytes()
			b.WriteByte('!')
			b.WriteString("end")
			want.WriteString("!end")
			long := strings.Repeat("0123456789", 1000)
			n, err := b.ReadFrom(iotest.HalfReader(strings.NewReader(long)))
			want.WriteString(long)
			if n != int64(len(long)) || err != nil {
				t.Errorf("ReadFrom: %d, %v", n, err)
			}
			if b.String() != want.String() || !bytes.Equal(b.Bytes(), want.Bytes()) || b.Len() != want.Len() {
				t.Error("the buffer differs from bytes.Buffer")
			}
			if !bytes.HasPrefix(want.Bytes(), before) {
				t.Error("a write changed earlier Bytes")
			}
			broken := errors.New("broken")
			if _, err := b.ReadFrom(iotest.ErrReader(broken)); err != broken {
				t.Errorf("ReadFrom: %v, want the reader's error", err)
			}
		})
	}
	var zero Buffer
	if zero.WriteByte('x'); zero.String() != "x" {
		t.Error("the zero Buffer")
	}
}
