package flame

import (
	"testing"

	"github.com/heapwright/heapwright/internal/flame/flametest"
)

func BenchmarkTree(b *testing.B) {
	tree := newTree(b, flametest.Decode(b, flametest.Many(25_000))[0], Options{Title: "many", Type: "alloc_space"})
	b.Run("html", func(b *testing.B) {
		for b.Loop() {
			if err := writeNowhere((*Tree).WriteHTML)(tree); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("svg", func(b *testing.B) {
		for b.Loop() {
			if err := writeNowhere((*Tree).WriteSVG)(tree); err != nil {
				b.Fatal(err)
			}
		}
	})
}
