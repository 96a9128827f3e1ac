// Text is written into one buffer that is used again.
package main

import (
	"io"
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type encoder struct{ buf []byte }

func (e *encoder) encode(w io.Writer, id int, name string, price float64) error {
	b := append(e.buf[:0], "id="...)
	b = strconv.AppendInt(b, int64(id), 10)
	b = append(b, " name="...)
	b = strconv.AppendQuote(b, name)
	b = append(b, " price="...)
	b = strconv.AppendFloat(b, price, 'f', 2, 64)
	e.buf = append(b, '\n')
	_, err := w.Write(e.buf)
	return err
}

func main() {
	var e encoder
	harness.Run(func() {
		for i := range 100 {
			if err := e.encode(io.Discard, i, "a name with \"quotes\"", float64(i)/3); err != nil {
				panic(err)
			}
		}
	})
}
