package stdlibmix

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Sizes are chosen for operations of 0.2 to 5 ms.

func BenchmarkJSONEncode(b *testing.B) {
	data := orders(300)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONDecode(b *testing.B) {
	text, err := json.Marshal(orders(100))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var data []order
		if err := json.Unmarshal(text, &data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDeflate(b *testing.B) {
	text := accessLog(250)
	w, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Reset(io.Discard)
		if _, err := w.Write(text); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInflate(b *testing.B) {
	text := accessLog(1000)
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	var in bytes.Reader
	r := flate.NewReader(&in)
	b.ReportAllocs()
	for b.Loop() {
		in.Reset(packed.Bytes())
		if err := r.(flate.Resetter).Reset(&in, nil); err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r)
		if err != nil || n != int64(len(text)) {
			b.Fatalf("%d bytes of %d: %v", n, len(text), err)
		}
	}
}

// request matches a line of accessLog.
var request = regexp.MustCompile(`(?m)^(\S+) \S+ \S+ \[([^\]]+)\] "(GET|POST) (\S+) [^"]*" (\d{3}) (\d+)`)

func BenchmarkRegexp(b *testing.B) {
	text := accessLog(100)
	b.ReportAllocs()
	for b.Loop() {
		if n := len(request.FindAllSubmatchIndex(text, -1)); n != 100 {
			b.Fatalf("%d matches", n)
		}
	}
}

func BenchmarkMapOfInts(b *testing.B) {
	r := newRand()
	keys := make([]int, 20000)
	for i := range keys {
		keys[i] = r.IntN(10000)
	}
	b.ReportAllocs()
	for b.Loop() {
		count := map[int]int{}
		for _, k := range keys {
			count[k]++
		}
		for _, k := range keys {
			if count[k] == 1 {
				delete(count, k)
			}
		}
	}
}

func BenchmarkMapOfStrings(b *testing.B) {
	words := strings.Fields(sentence(newRand(), 10000))
	b.ReportAllocs()
	for b.Loop() {
		places := map[string][]int{}
		for i, w := range words {
			places[w] = append(places[w], i)
		}
	}
}

// tree is a search tree with a key in every node.
type tree struct {
	key         uint64
	left, right *tree
}

func (t *tree) insert(key uint64) *tree {
	switch {
	case t == nil:
		return &tree{key: key}
	case key < t.key:
		t.left = t.left.insert(key)
	default:
		t.right = t.right.insert(key)
	}
	return t
}

func (t *tree) sum() uint64 {
	if t == nil {
		return 0
	}
	return t.key + t.left.sum() + t.right.sum()
}

func BenchmarkTree(b *testing.B) {
	r := newRand()
	keys := make([]uint64, 5000)
	var want uint64
	for i := range keys {
		keys[i] = r.Uint64()
		want += keys[i]
	}
	b.ReportAllocs()
	for b.Loop() {
		var root *tree
		for _, k := range keys {
			root = root.insert(k)
		}
		if root.sum() != want {
			b.Fatal("keys are lost")
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	data := orders(200)
	b.ReportAllocs()
	for b.Loop() {
		var page strings.Builder
		for _, o := range data {
			fmt.Fprintf(&page, "%016x %-20s %t\n", o.ID, o.Customer.Name, o.Paid)
			for _, i := range o.Items {
				fmt.Fprintf(&page, "  %3d × %s at %8.2f\n", i.Quantity, strings.ToUpper(i.SKU), i.Price)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	shuffled := orders(1500)
	sorted := make([]order, len(shuffled))
	b.ReportAllocs()
	for b.Loop() {
		copy(sorted, shuffled)
		slices.SortFunc(sorted, func(x, y order) int {
			return cmp.Or(cmp.Compare(x.Customer.City, y.Customer.City), cmp.Compare(x.ID, y.ID))
		})
	}
}

// The corpus would measure something else if its data changed.
func TestDataIsTheSame(t *testing.T) {
	first, err := json.Marshal(orders(50))
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(orders(50))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, again) {
		t.Error("orders differ from call to call")
	}
	if got, want := string(first[:53]), `[{"id":9955191723894966516,"customer":{"name":"bitugi`; got != want {
		t.Errorf("orders begin with %q, want %q", got, want)
	}
	if log := accessLog(100); !bytes.Equal(log, accessLog(100)) || bytes.Count(log, []byte("\n")) != 100 {
		t.Error("log differs from call to call")
	}
}
