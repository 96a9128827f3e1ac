// The header of every packet is kept: sixteen bytes of sixty-four kilobytes.
package main

import (
	"encoding/binary"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type header []byte

type recorder struct{ headers map[uint32]header }

func receive(n uint32) []byte {
	packet := make([]byte, 16<<10)
	binary.LittleEndian.PutUint32(packet, n)
	for i := 4; i < len(packet); i += 8 {
		packet[i] = byte(i)
	}
	return packet
}

func (r *recorder) record(n uint32) {
	packet := receive(n)
	h := header(packet[:16]) // want: retention
	r.headers[n%8192] = h
}

func main() {
	r := &recorder{headers: make(map[uint32]header, 8192)}
	n := uint32(0)
	harness.Run(func() {
		n++
		r.record(n)
		for i := range 20000 {
			spun += i ^ int(n)
		}
	})
}

var spun int
