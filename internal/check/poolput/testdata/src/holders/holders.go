package holders

import (
	"io"
	"sync"
	"sync/atomic"
)

type frame struct {
	holders atomic.Int32
	data    []byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func newFrame() *frame {
	f := frames.Get().(*frame)
	f.holders.Store(1)
	f.data = append(f.data[:0], "frame"...)
	return f
}

func (f *frame) retain() { f.holders.Add(1) }

func (f *frame) release() {
	if f.holders.Add(-1) == 0 {
		frames.Put(f)
	}
}

func afterRelease(w io.Writer) {
	f := newFrame()
	f.release()
	w.Write(f.data) // want `f.data shares memory with f, and is used after release`
}

func releasedTwice(w io.Writer) error {
	f := newFrame()
	defer f.release()
	if _, err := w.Write(f.data); err != nil {
		f.release() // want `f is given back by release here, and again by the deferred one`
		return err
	}
	return nil
}

func withHolders(all []io.Writer) {
	f := newFrame()
	for _, w := range all {
		f.retain()
		go func() {
			defer f.release()
			w.Write(f.data)
		}()
	}
	f.release()
}

func withoutHolders(all []io.Writer) {
	f := newFrame()
	for _, w := range all {
		go func() { w.Write(f.data) }()
	}
	f.release() // want `f is put into the pool while a goroutine may still use it`
}
