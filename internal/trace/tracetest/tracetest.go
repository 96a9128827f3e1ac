// Package tracetest makes traces that ask for much more memory than they have
// bytes, and small ones to vary.
package tracetest

import (
	"bufio"
	"encoding/binary"
	"io"
	"maps"
	"slices"
)

// Numbers of events in the format (internal/trace/tracev2/events.go).
const (
	batch, stacks, stack, strings, text, cpuSamples, cpuSample, frequency = 1, 2, 3, 4, 5, 6, 7, 8
	procsChange, procStatus, goStatus, taskBegin                          = 9, 13, 25, 40
	syncBatch, clockSnapshot, endOfGeneration                             = 50, 51, 52
)

// header begins each trace.
const header = "go 1.26 trace\x00\x00\x00"

// room is how much of a batch is filled; the format allows 64 KiB.
const room = 60 << 10

type writer struct{ *bufio.Writer }

// batch writes a batch of a thread: events or a table.
func (w writer) batch(thread uint64, data []byte) {
	b := binary.AppendUvarint([]byte{batch, 1}, thread) // generation 1
	b = binary.AppendUvarint(b, 1)                      // the time is 1
	b = binary.AppendUvarint(b, uint64(len(data)))
	w.Write(b)
	w.Write(data)
}

// filled writes batches until n bytes are there. entry appends the i-th entry.
func (w writer) filled(n int, head []byte, entry func(b []byte, i uint64) []byte) {
	for i := uint64(1); n > 0; {
		b := slices.Clone(head)
		for limit := min(room, n); len(b) < limit; {
			b = entry(b, i)
			i++
		}
		n -= len(b)
		w.batch(1, b)
	}
}

// end writes the end of a generation.
func (w writer) end() {
	b := []byte{syncBatch, frequency}
	b = binary.AppendUvarint(b, 1e9)
	b = append(b, clockSnapshot, 1, 1, 1, 1)
	w.batch(1, b)
	w.WriteByte(endOfGeneration)
}

// running are events by which thread 1 runs a goroutine on a processor.
var running = []byte{procStatus, 1, 1, 1, goStatus, 1, 1, 1, 2, procsChange, 1, 2, 0}

var amplifiers = map[string]func(w writer, n int){
	"stacks without frames": func(w writer, n int) {
		w.filled(n, []byte{stacks}, func(b []byte, i uint64) []byte {
			return append(binary.AppendUvarint(append(b, stack), i), 0)
		})
	},
	"empty strings": func(w writer, n int) {
		w.filled(n, []byte{strings}, func(b []byte, i uint64) []byte {
			return append(binary.AppendUvarint(append(b, text), i), 0)
		})
	},
	"frames": func(w writer, n int) {
		w.filled(n, []byte{stacks}, func(b []byte, i uint64) []byte {
			b = append(binary.AppendUvarint(append(b, stack), i), 100)
			for f := range uint64(100) {
				b = append(binary.AppendUvarint(b, i*100+f), 0, 0, 0)
			}
			return b
		})
	},
	"samples": func(w writer, n int) {
		w.filled(n, []byte{cpuSamples}, func(b []byte, i uint64) []byte { return append(b, cpuSample, 1, 1, 1, 1, 0) })
	},
	"threads": func(w writer, n int) {
		for i := uint64(1); n > 0; i++ {
			w.batch(i, []byte{procsChange})
			n -= 10
		}
	},
	"goroutines": func(w writer, n int) {
		w.filled(n, nil, func(b []byte, i uint64) []byte {
			if i == 1 {
				b = append(b, running...)
			}
			return append(binary.AppendUvarint(append(b, goStatus, 1), i+1), 1, 4) // they wait
		})
	},
	"tasks": func(w writer, n int) {
		w.filled(n, nil, func(b []byte, i uint64) []byte {
			if i == 1 {
				b = append(b, running...)
			}
			return append(binary.AppendUvarint(append(b, taskBegin, 1), i), 0, 0, 0)
		})
	},
}

// Amplifiers names the traces that Amplify makes.
func Amplifiers() []string { return slices.Sorted(maps.Keys(amplifiers)) }

// Amplify writes a trace of about n bytes, of one generation.
func Amplify(to io.Writer, name string, n int) error {
	w := writer{bufio.NewWriter(to)}
	w.WriteString(header)
	amplifiers[name](w, n)
	w.end()
	return w.Flush()
}
