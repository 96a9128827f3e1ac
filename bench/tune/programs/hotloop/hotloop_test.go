// Package hotloop spends nearly all of its time on allocating buffers that hold
// no pointers: there is next to nothing to mark, so that no setting of the
// collector saves much, but for one line of code, which makes a new buffer for
// every record, nearly everything.
package hotloop

import "testing"

var sum int

// encode makes the buffer anew for each record: the line to change.
func encode(record int) []byte {
	buf := make([]byte, 0, 16<<10) // best answer
	buf = append(buf, byte(record), byte(record>>8), byte(record>>16))
	return buf
}

var last []byte

func BenchmarkEncode(b *testing.B) {
	i := 0
	for b.Loop() {
		i++
		last = encode(i)
		sum += len(last)
	}
}
