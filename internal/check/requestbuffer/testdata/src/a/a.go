// Package a makes buffers and drops them.
package a

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

type row struct{ name, value string }

// render has a comment, which stays with it.
func render(w io.Writer, rows []row) error {
	// The page.
	var b bytes.Buffer // want `each call makes a bytes.Buffer and drops it: keep it in a sync.Pool and Reset it`
	for _, r := range rows {
		b.WriteString(r.name)
		fmt.Fprintf(&b, "=%q", r.value)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func text(v any) (string, error) {
	b := new(bytes.Buffer) // want `bytes.Buffer`
	enc := json.NewEncoder(b)
	enc.SetIndent("", "\t")
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}

func literal(w io.Writer) {
	b := &bytes.Buffer{} // want `bytes.Buffer`
	fill(b)
	b.WriteTo(w)
}

func given(w io.Writer) {
	b := bytes.NewBuffer(nil) // want `bytes.Buffer`
	fill(b)
	b.WriteTo(w)
}

func value() int {
	b := bytes.Buffer{} // want `bytes.Buffer`
	p := &b
	fill(p)
	return p.Len()
}

// fill keeps nothing.
func fill(w io.Writer) { io.WriteString(w, "filled") }

func handler() func(w io.Writer) {
	return func(w io.Writer) {
		var b bytes.Buffer // want `bytes.Buffer`
		fill(&b)
		w.Write(b.Bytes())
	}
}

func checksum(body io.Reader) (sum uint32, err error) {
	data, err := io.ReadAll(body) // want `each call reads into new memory and drops it: read into a bytes.Buffer from a sync.Pool`
	if err != nil {
		return 0, err
	}
	for _, c := range data {
		sum = sum*31 + uint32(c)
	}
	return sum, nil
}

func decode(body io.Reader) (r row, _ error) {
	body, buf := io.LimitReader(body, 1000), 0
	data, err := io.ReadAll(body) // want `io|reads`
	if err != nil {
		return row{}, errors.New("short")
	}
	err = json.Unmarshal(bytes.TrimSpace(data[buf:]), &r)
	return r, err
}

const size = 16 << 10

func proxy(dst io.Writer, src io.Reader) (n int64, err error) {
	buf := make([]byte, size) // want `each call makes a buffer and drops it: keep an array in a sync.Pool`
	for {
		k, err := src.Read(buf)
		if k > 0 {
			if _, err := dst.Write(buf[:k]); err != nil {
				return n, err
			}
			n += int64(k)
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

func first(c net.Conn) (string, error) {
	const local = 1 << 9
	array := "taken"
	buf := make([]byte, 2*local) // want `makes a buffer`
	var n int
	var err error
	if n, err = io.ReadFull(c, buf); err == io.ErrUnexpectedEOF {
		err = nil
	}
	return array + string(buf[:n]), err
}

func forward(dst io.Writer, src io.Reader) (int64, error) {
	buf := make([]byte, 8<<10) // want `makes a buffer`
	return io.CopyBuffer(dst, src, buf)
}

func send(dst io.Writer, src io.Reader) error {
	// Everything.
	if _, err := io.Copy(dst, src); err != nil { // want `each call of io.Copy makes a buffer: io.CopyBuffer takes one from a sync.Pool`
		return err
	}
	return nil
}

func line(w io.Writer, id int, name string) error {
	buf := make([]byte, 0, 64) // want `each call grows a slice of bytes and drops it: keep it in a sync.Pool and append to it again`
	buf = strconv.AppendInt(append(buf, "id="...), int64(id), 10)
	if name != "" {
		buf = append(buf, name...)
	}
	_, err := w.Write(buf)
	return err
}

func key(m map[string]int, parts [][]byte) int {
	var key []byte // want `grows a slice`
	for _, p := range parts {
		key = append(key[:0], p...)
	}
	return m[string(key)]
}

func distance(a, b string) int {
	lenA := len(a)
	x := make([]int, lenA+1) // want `short ones have room in an array on the stack`
	for i := range x {
		x[i] = i
	}
	for i := range len(b) {
		x[0] += i
	}
	return x[lenA]
}

func counts(n int, of []uint16) (most uint16) {
	seen := make([]uint16, n) // want `room in an array`
	copy(seen, of)
	for _, c := range seen {
		most = max(most, c)
	}
	clear(seen)
	return most
}

// Without a fix: the new variable would hide the one that has the length.
func hidden(row []int) int {
	if len(row) > 1 {
		row := make([]int, len(row)) // want `room in an array`
		return row[1]
	}
	return 0
}

type runes string

func (t runes) count() int { return len([]rune(t)) }

func counted(t runes) int {
	room := make([]int, t.count()) // want `room in an array`
	return room[0]
}
