package store

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heapwright/heapwright/internal/profile"
)

// A value is read only behind its checksum, but a file may be written to be read
// wrongly: any bytes are refused or read again as they were written.
func FuzzFrame(f *testing.F) {
	some := &frame{header: header{types: []profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, comments: []string{"x"}, mappings: []uint32{0}},
		rows: []uint32{1, 5}, values: [][]int64{{-3, 1 << 40}}}
	f.Add(some.encode(nil))
	next := *some
	next.base, next.depth = keyAt(noon, 1), 1
	f.Add(next.encode(some))
	f.Fuzz(func(t *testing.T, value []byte) {
		of := func(key) (*frame, error) { return some, nil }
		got, err := decodeFrame(value, of)
		if err != nil {
			return
		}
		var base *frame
		if got.base != (key{}) {
			base = some
		}
		again, err := decodeFrame(got.encode(base), of)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(got.values, again.values) || !cmp.Equal(got.rows, again.rows) {
			t.Fatal(got, again)
		}
	})
}

func FuzzEntry(f *testing.F) {
	s := series{kind: CPU, labels: Labels{"instance": "1"}, figures: []string{"cpu"}}
	e := Entry{Duration: 7, Evidence: true, Size: 3, Figures: []Figure{{"cpu", -1}}}
	f.Add(s.encode(), e.encode(1))
	f.Fuzz(func(t *testing.T, encodedSeries, encodedEntry []byte) {
		got, err := decodeSeries(encodedSeries)
		if err != nil {
			return
		}
		if again, err := decodeSeries(got.encode()); err != nil || !bytes.Equal(again.encode(), got.encode()) {
			t.Fatal(got, again, err)
		}
		if e, sum, err := decodeEntry(keyAt(noon, 1), &got, encodedEntry); err == nil {
			if again, s, err := decodeEntry(keyAt(noon, 1), &got, e.encode(sum)); err != nil || s != sum || !cmp.Equal(e.Figures, again.Figures) {
				t.Fatal(e, again, err)
			}
		}
	})
}
