package cures

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
	"sync"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// buffers reads blocks into a buffer of 64 KiB each and sums them up. The faulty
// one makes a buffer for each block; the cured one has a pool of them.
type buffers struct {
	block []byte
	sum   uint32
	pool  sync.Pool
}

const bufferSize = 64 << 10

func newBuffers() *buffers {
	return &buffers{block: bytes.Repeat([]byte("block "), 10000), pool: sync.Pool{New: func() any { return new([bufferSize]byte) }}}
}

func (b *buffers) read() {
	var buf *[bufferSize]byte
	if cure.Cured {
		buf = b.pool.Get().(*[bufferSize]byte)
		defer b.pool.Put(buf)
	} else {
		buf = faultyBuffer()
	}
	n := copy(buf[:], b.block)
	b.sum = crc32.Update(b.sum, crc32.IEEETable, buf[:n])
}

func faultyBuffer() *[bufferSize]byte { return new([bufferSize]byte) }

// writers compress messages. The faulty one makes a compressor for each; the
// cured one resets the last.
type writers struct {
	message []byte
	out     bytes.Buffer
	w       *flate.Writer
}

func newWriters() *writers {
	return &writers{message: bytes.Repeat([]byte("a message of a service, repeated "), 1000)}
}

func (w *writers) write() error {
	w.out.Reset()
	if cure.Cured && w.w != nil {
		w.w.Reset(&w.out)
	} else {
		var err error
		if w.w, err = faultyWriter(&w.out); err != nil {
			return err
		}
	}
	if _, err := w.w.Write(w.message); err != nil {
		return err
	}
	return w.w.Close()
}

func faultyWriter(out *bytes.Buffer) (*flate.Writer, error) {
	return flate.NewWriter(out, flate.BestSpeed)
}
