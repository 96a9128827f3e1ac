// Package partial reads pooled bytes of which a Read may have filled only the first.
package partial

import (
	"crypto/sha256"
	"io"
	"strings"
	"sync"
)

var blocks = sync.Pool{New: func() any { return new([512]byte) }}

var bufs = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}

func status(r io.Reader) (string, error) {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b)
	if _, err := r.Read(*b); err != nil {
		return "", err
	}
	return strings.TrimRight(string(*b), "\x00"), nil // want `the pooled bytes are read to their end, but the Read in line 18 may fill only a part`
}

func hash(r io.Reader) ([32]byte, error) {
	b := blocks.Get().(*[512]byte)
	defer blocks.Put(b)
	if _, err := io.ReadFull(r, b[:]); err != nil && err != io.ErrUnexpectedEOF {
		return [32]byte{}, err
	}
	return sha256.Sum256(b[:]), nil // want `the pooled bytes are read to their end`
}

func counted(r io.Reader) (string, error) {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b)
	n, err := r.Read(*b)
	return string((*b)[:n]), err
}

func whole(r io.Reader) ([32]byte, error) {
	b := blocks.Get().(*[512]byte)
	defer blocks.Put(b)
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(b[:]), nil
}

func copied(w io.Writer, r io.Reader) error {
	b := bufs.Get().(*[]byte)
	defer bufs.Put(b)
	_, err := io.CopyBuffer(w, r, *b)
	return err
}
