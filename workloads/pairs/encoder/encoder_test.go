package encoder

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// body is JSON of about 4 KiB.
func body() []byte {
	r := rand.New(rand.NewPCG(1, 1))
	b := []byte("[")
	for len(b) < 4<<10 {
		b = fmt.Appendf(b, `{"sku":"sku-%d","stock":%d,"price":%.2f},`, r.IntN(5000), r.IntN(100), 100*r.Float64())
	}
	return b
}

func BenchmarkCompress(b *testing.B) {
	body := body()
	compress := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		if err := compress(io.Discard, body); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSame(t *testing.T) {
	var got [2]bytes.Buffer
	for i, compress := range []func(io.Writer, []byte) error{before, after} {
		for range 3 {
			if err := compress(&got[i], body()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(got[0].Bytes(), got[1].Bytes()) {
		t.Error("the compressed bodies differ")
	}
}
