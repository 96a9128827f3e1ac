package profiletest

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// Many writes a profile of n stacks, nearly all distinct, gzip-compressed: 1,600
// functions in 40 layers, 4 to 40 deep. Without types it is of CPU time. Nothing
// of it is held in memory.
func Many(w io.Writer, n int, types ...string) error {
	const layers, width = 40, 40
	if types == nil {
		types = []string{"cpu"}
	}
	names := uint64(2 + len(types)) // the strings before the names of functions
	rng := rand.New(rand.NewPCG(1, 2))
	var symbols []byte
	for i := range uint64(layers * width) {
		symbols = append(symbols, message(6, fmt.Appendf(nil, "main.function%d", i))...)
		symbols = append(symbols, message(5, fields(1, i+1, 2, names+i))...)
		symbols = append(symbols, message(4, slices.Concat(fields(1, i+1), message(4, fields(1, i+1, 2, i+1))))...)
	}
	return amplifier{types: types, before: symbols, part: func(int) []byte {
		var ids []byte
		for layer := layers - 1 - rng.IntN(layers-4); layer >= 0; layer -= 1 + rng.IntN(2) { // the leaf first
			ids = binary.AppendUvarint(ids, uint64(1+layer*width+int(width*rng.Float64()*rng.Float64())))
		}
		b := message(1, ids)
		for range types {
			b = append(b, fields(2, 1+rng.Uint64N(1<<20))...)
		}
		return message(2, b)
	}}.write(w, n)
}
