// Package hotloop spends nearly all of its time on allocating buffers that hold
// no pointers, beside a table that holds none either: there is next to nothing to
// mark and collections are rare, so that no setting of the collector saves much,
// but for one line of code, which makes a new buffer for every record, nearly
// everything.
package hotloop

import "testing"

// table makes collections rare: at GOGC=100 the program allocates as much as the
// table is large between two of them.
var table = make([]byte, 64<<20)

func init() {
	for i := range table {
		table[i] = byte(i)
	}
}

var sum int

// encode makes the buffer anew for each record: the line to change.
func encode(record int) []byte {
	buf := make([]byte, 0, 16<<10) // best answer
	buf = append(buf, table[record%len(table)], byte(record>>8), byte(record>>16))
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
