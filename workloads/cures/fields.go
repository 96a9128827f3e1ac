package cures

import (
	"bytes"
	"hash/crc32"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// fields sums up the fields of lines. The faulty one makes a slice of them for
// each line; the cured one goes from one to the next.
type fields struct {
	lines [][]byte
	sum   uint32
}

func newFields() *fields {
	f := &fields{}
	for i := range 100 {
		f.lines = append(f.lines, bytes.Repeat([]byte("a field of a line,"), 8+i%16))
	}
	return f
}

func (f *fields) read() {
	for _, line := range f.lines {
		if cure.Cured {
			for field := range bytes.SplitSeq(line, []byte(",")) {
				f.sum = crc32.Update(f.sum, crc32.IEEETable, field)
			}
			continue
		}
		for _, field := range faultySplit(line) {
			f.sum = crc32.Update(f.sum, crc32.IEEETable, field)
		}
	}
}

func faultySplit(line []byte) [][]byte { return bytes.Split(line, []byte(",")) }
