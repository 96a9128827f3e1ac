package a

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"sync"
)

var logs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func failedEarly(w io.Writer, text string) error {
	b := logs.Get().(*bytes.Buffer)
	b.WriteString(text)
	if _, err := w.Write(b.Bytes()); err != nil {
		logs.Put(b) // want `b goes back to the pool with its contents`
		return errors.Join(err)
	}
	b.Reset()
	logs.Put(b)
	return nil
}

var sheets = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func resetFirst(w io.Writer, text string) error {
	b := sheets.Get().(*bytes.Buffer)
	if text == "" {
		sheets.Put(b)
		return nil
	}
	b.Reset()
	b.WriteString(text)
	if _, err := w.Write(b.Bytes()); err != nil {
		sheets.Put(b)
		return err
	}
	sheets.Put(b)
	return nil
}

var digests = sync.Pool{New: func() any { return sha256.New() }}

func digest(r io.Reader) []byte {
	h := digests.Get().(hash.Hash)
	io.Copy(h, r)
	all := h.Sum(nil)
	digests.Put(h) // want `h goes back to the pool with its contents`
	return all
}

var emptied = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func empties(w io.Writer, text string) {
	b := emptied.Get().(*bytes.Buffer)
	b.WriteString(text)
	io.Copy(w, b)
	emptied.Put(b)
}
