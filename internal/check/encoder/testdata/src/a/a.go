// Package a makes encoders and decoders.
package a

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func compress(w io.Writer, data []byte) error {
	zw := gzip.NewWriter(w) // want `each call makes a gzip.NewWriter and drops it: keep it in a sync.Pool and Reset it`
	if _, err := zw.Write(data); err != nil {
		return err
	}
	return zw.Close()
}

// Named has a comment, which stays with it.
func Named(w io.Writer, name string, v any) (err error) {
	// The header comes first.
	zw := gzip.NewWriter(w) // want `gzip.NewWriter`
	zw.Name = name
	defer zw.Close()
	return json.NewEncoder(zw).Encode(v)
}

func decompress(r io.Reader) ([]byte, error) {
	zr, err := gzip.NewReader(r) // want `gzip.NewReader`
	if err != nil {
		return nil, err
	}
	defer zr.Close()
	return io.ReadAll(zr)
}

func again(r io.Reader) (n int64, err error) {
	zr, err := gzip.NewReader(r) // want `gzip.NewReader`
	if err == nil {
		n, err = io.Copy(io.Discard, zr)
	}
	return n, err
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	zw := zlib.NewWriter(&b) // want `zlib.NewWriter`
	zw.Write(data)
	zw.Close()
	return b.Bytes()
}

func save(f *os.File, lines []string) error {
	w := bufio.NewWriter(f) // want `bufio.NewWriter`
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	return w.Flush()
}

// An argument of type *bufio.Writer would be returned as it is.
func wrapped(f io.Writer) error {
	w := bufio.NewWriter(f)
	w.WriteString("x")
	return w.Flush()
}

// Deferred calls would pile up.
func loop(all []io.Writer) {
	for _, w := range all {
		zw := gzip.NewWriter(w) // want `gzip.NewWriter`
		zw.Close()
	}
}

func header(w io.Writer) error {
	if zw := gzip.NewWriter(w); zw != nil {
		return zw.Close()
	}
	return nil
}

func handed(w io.Writer) io.WriteCloser {
	zw := gzip.NewWriter(w)
	return zw
}

func stored(w io.Writer, all map[string]io.Writer) {
	zw := gzip.NewWriter(w)
	all["x"] = zw
}

func captured(w io.Writer) func() error {
	zw := gzip.NewWriter(w)
	return func() error { return zw.Close() }
}

func started(w io.Writer) {
	zw := gzip.NewWriter(w)
	go zw.Close()
}

func bound(w io.Writer) func() error {
	zw := gzip.NewWriter(w)
	return zw.Close
}

func kept(w io.Writer) *json.Encoder {
	zw := gzip.NewWriter(w)
	return json.NewEncoder(zw)
}

func extra(r io.Reader) *[]byte {
	zr, err := gzip.NewReader(r)
	if err != nil {
		return nil
	}
	return &zr.Extra
}

// Without its error, a nil reader panics.
func careless(r io.Reader) ([]byte, error) {
	zr, _ := gzip.NewReader(r) // want `gzip.NewReader`
	return io.ReadAll(zr)
}
