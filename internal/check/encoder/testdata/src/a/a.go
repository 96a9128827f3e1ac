// Package a makes encoders and decoders.
package a

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
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
	if zw := gzip.NewWriter(w); zw != nil { // want `gzip.NewWriter`
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

func lines(f *os.File) (n int, err error) {
	r := bufio.NewReaderSize(f, 16<<10) // want `bufio.NewReaderSize`
	for {
		line, err := r.ReadSlice('\n')
		n += len(line)
		if err != nil {
			return n, err
		}
	}
}

// The line is memory of the reader.
func line(f *os.File) ([]byte, error) {
	r := bufio.NewReader(f)
	line, err := r.ReadSlice('\n')
	return line, err
}

func command(conn io.Reader) (byte, error) {
	r := bufio.NewReader(conn) // want `bufio.NewReader`
	return r.ReadByte()
}

var first, _ = command(bytes.NewReader(nil))

// It may be called with a bufio.Reader.
func handed2(conn io.Reader) (byte, error) {
	r := bufio.NewReader(conn)
	return r.ReadByte()
}

var second, _ = handed2(bufio.NewReader(nil))

// Command may be called by anybody.
func Command(conn io.Reader) (byte, error) {
	r := bufio.NewReader(conn)
	return r.ReadByte()
}

func value(conn io.Reader) (byte, error) {
	r := bufio.NewReader(conn)
	return r.ReadByte()
}

var third = value

// The new variable hides the argument.
func hidden(w *os.File) error {
	if len(os.Args) > 1 {
		w := bufio.NewWriter(w) // want `bufio.NewWriter`
		w.WriteString("x")
		return w.Flush()
	}
	return nil
}

func digest(parts [][]byte) string {
	h := sha256.New() // want `sha256.New`
	for _, p := range parts {
		h.Write(p)
	}
	return fmt.Sprint(h.Sum(nil))
}

func digest1(text []byte) []byte {
	h := sha1.New() // want `the hash serves one Write: Sum needs none`
	h.Write(text)
	return h.Sum(nil)
}

func digest2(text []byte) (all []string) {
	h := md5.New()
	h.Write(text)
	for range 2 {
		all = append(all, string(h.Sum(nil))) // want `only read`
	}
	return all
}

func keptHash() hash.Hash {
	h := md5.New()
	return h
}

func respond(w io.Writer, items []string) error {
	data, err := json.Marshal(items) // want `each call marshals into new memory and drops it: encode into a bytes.Buffer from a sync.Pool`
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func marshalled(items []string) ([]byte, error) {
	data, err := json.Marshal(items)
	return data, err
}

func unchecked(w io.Writer, items []string) {
	data, _ := json.Marshal(items) // want `marshals`
	w.Write(data)
}

func both(w io.Writer, header, body any) error {
	h, err := json.Marshal(header) // want `marshals`
	if err != nil {
		return err
	}
	b, err := json.Marshal(body) // want `marshals`
	if err != nil {
		return err
	}
	w.Write(h)
	_, err = w.Write(b)
	return err
}
