package pool

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func items() []item {
	all := make([]item, 400)
	for i := range all {
		all[i] = item{fmt.Sprintf("Article number %d", i), 100 + i*i%5000}
	}
	return all
}

// BenchmarkServe serves pages of 2 to 16 KiB.
func BenchmarkServe(b *testing.B) {
	all := items()
	serve := cure.Built(before, after)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		if err := serve(io.Discard, all[:50+i%350]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func TestSame(t *testing.T) {
	var got [2]bytes.Buffer
	for i, serve := range []func(io.Writer, []item) error{before, after} {
		for n := 0; n <= 400; n += 100 {
			if err := serve(&got[i], items()[:n]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got[0].String() != got[1].String() {
		t.Error("the pages differ")
	}
}
