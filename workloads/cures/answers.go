package cures

import (
	"strconv"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// answers writes numbers as text, as a handler does. The faulty one begins each
// answer with nothing and grows it; the cured one takes the room of the last.
type answers struct {
	room []byte
	sum  int
}

func (a *answers) write(n int) {
	var out []byte
	if cure.Cured {
		out = a.room[:0]
	}
	for i := range n {
		if cure.Cured {
			out = strconv.AppendInt(out, int64(i*7919), 10)
			out = append(out, ',')
			continue
		}
		out = faultyAppend(out, int64(i*7919))
	}
	a.sum += len(out)
	a.room = out
}

func faultyAppend(out []byte, n int64) []byte {
	return append(strconv.AppendInt(out, n, 10), ',')
}
