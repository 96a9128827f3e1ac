package encoder

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

var variants = []struct {
	name     string
	compress func(io.Writer, []byte) error
}{{"before", before}, {"after", after}}

// body is JSON of about 64 KiB.
func body() []byte {
	r := rand.New(rand.NewPCG(1, 1))
	b := []byte("[")
	for len(b) < 64<<10 {
		b = fmt.Appendf(b, `{"sku":"sku-%d","stock":%d,"price":%.2f},`, r.IntN(5000), r.IntN(100), 100*r.Float64())
	}
	return b
}

func BenchmarkCompress(b *testing.B) {
	body := body()
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := v.compress(io.Discard, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestSame(t *testing.T) {
	var got [2]bytes.Buffer
	for i, v := range variants {
		for range 3 {
			if err := v.compress(&got[i], body()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(got[0].Bytes(), got[1].Bytes()) {
		t.Error("the compressed bodies differ")
	}
}
