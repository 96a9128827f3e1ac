// A table is converted cell by cell, each kind of cell in its own way, and nothing of it is kept.
package main

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

// want program: frequent-gc
type cell interface{ text() string }

type (
	number struct{ v float64 }
	moment struct{ at time.Time }
	label  struct{ name, unit string }
	blob   struct{ data [8]byte }
	list   struct{ items []string }
	quoted struct{ raw []byte }
)

func (n *number) text() string { return strconv.FormatFloat(n.v, 'e', 12, 64) }
func (m *moment) text() string { return m.at.Format("02 Jan 2006 15:04") }
func (l *label) text() string  { return l.name + " in " + l.unit }
func (b *blob) text() string   { return hex.EncodeToString(b.data[:]) }
func (l *list) text() string   { return strings.Join(l.items, ", ") }
func (q *quoted) text() string { return string(q.raw) }

func width(row []cell) (n int) {
	for _, c := range row {
		n = max(n, len(c.text()))
	}
	return n
}

var widest int

func main() {
	raw := []byte("a text that is kept as bytes, for a reason")
	row := []cell{
		&number{1.5}, &moment{time.Unix(1e9, 0)}, &label{"the temperature outside", "degrees"},
		&blob{}, &list{[]string{"first", "second", "third", "fourth"}}, &quoted{raw},
	}
	harness.Run(func() {
		for range 100 {
			widest = max(widest, width(row))
		}
	})
}
