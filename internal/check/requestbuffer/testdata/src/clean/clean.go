// Package clean has buffers that a pool must not keep, and changes that a fix must not make.
package clean

import (
	"bytes"
	"io"
	"os"
	"sync"
)

var kept []byte

var out io.Writer

func returned() []byte {
	var b bytes.Buffer
	b.WriteString("x")
	return b.Bytes()
}

func part() (head []byte) {
	var b bytes.Buffer
	b.WriteString("x")
	head = b.Next(1)
	return head
}

func pointer() *bytes.Buffer {
	b := new(bytes.Buffer)
	return b
}

func stored() {
	var b bytes.Buffer
	b.WriteString("x")
	kept = append(b.Bytes(), 'y')
}

type page struct{ body []byte }

func field(p *page) {
	var b bytes.Buffer
	b.WriteString("x")
	p.body = b.Bytes()
}

func literal() page {
	var b bytes.Buffer
	b.WriteString("x")
	return page{body: b.Bytes()}
}

func captured() func() string {
	var b bytes.Buffer
	return func() string { return b.String() }
}

func deferred(w io.Writer) {
	var b bytes.Buffer
	defer func() { w.Write(b.Bytes()) }()
	b.WriteString("x")
}

func started(w io.Writer) {
	var b bytes.Buffer
	b.WriteString("x")
	go w.Write(b.Bytes())
}

func sent(c chan []byte) {
	var b bytes.Buffer
	b.WriteString("x")
	c <- b.Bytes()
}

func copied() int {
	var b bytes.Buffer
	c := b
	return c.Len()
}

func replaced(other *bytes.Buffer) string {
	b := new(bytes.Buffer)
	if other != nil {
		b = other
	}
	return b.String()
}

func bound() func([]byte) (int, error) {
	var b bytes.Buffer
	return b.Write
}

// A buffer that nothing was written to has a nil slice.
func compared() bool {
	var b bytes.Buffer
	fill(&b)
	return b.Bytes() == nil
}

func fill(w io.Writer) { io.WriteString(w, "filled") }

// keep stores what it is given.
func keep(w io.Writer) { writers = append(writers, w) }

var writers []io.Writer

func handed() {
	var b bytes.Buffer
	keep(&b)
}

type recorder struct{ all [][]byte }

// Write breaks the contract of io.Writer.
func (r *recorder) Write(p []byte) (int, error) {
	r.all = append(r.all, p)
	return len(p), nil
}

func recorded(r *recorder) {
	var b bytes.Buffer
	b.WriteString("x")
	r.Write(b.Bytes())
}

func foreign(f func([]byte)) {
	var b bytes.Buffer
	b.WriteString("x")
	f(b.Bytes())
}

func whole(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(r)
	return data, err
}

func room(r io.Reader) int {
	data, err := io.ReadAll(r)
	if err != nil {
		return 0
	}
	return cap(data)
}

func split(r io.Reader) (lines [][]byte) {
	data, _ := io.ReadAll(r)
	return bytes.Split(data, []byte("\n"))
}

// Bytes that nothing has read are zero.
func zeroes(r io.Reader) byte {
	buf := make([]byte, 1024)
	r.Read(buf)
	return buf[0]
}

func behind(r io.Reader) string {
	buf := make([]byte, 1024)
	n, _ := r.Read(buf[10:])
	return string(buf[:n])
}

func counted(r io.Reader) string {
	buf := make([]byte, 1024)
	n, _ := r.Read(buf)
	n++
	return string(buf[:n])
}

func other(r io.Reader) string {
	buf, more := make([]byte, 1024), make([]byte, 1024)
	n, _ := r.Read(more)
	_, _ = r.Read(buf)
	return string(buf[:n])
}

func small(r io.Reader) string {
	buf := make([]byte, 16)
	n, _ := r.Read(buf)
	return string(buf[:n])
}

func sized(r io.Reader, size int) string {
	buf := make([]byte, size)
	n, _ := r.Read(buf)
	return string(buf[:n])
}

func lent(r io.Reader) []byte {
	buf := make([]byte, 1024)
	n, _ := r.Read(buf)
	return buf[:n]
}

// Reported, but deferred calls would pile up.
func loop(all []io.Reader) (n int64) {
	for _, r := range all {
		k, _ := io.Copy(out, r) // want `io.Copy`
		n += k
	}
	return n
}

// Reported, but there is no statement to put anything in front of.
func branch(r io.Reader, kind int) (n int64, err error) {
	switch kind {
	case 1:
		n, err = io.Copy(out, r) // want `io.Copy`
	}
	defer io.Copy(out, r) // want `io.Copy`
	return n, err
}

var once sync.Once

func first(w io.Writer) {
	once.Do(func() {
		var b bytes.Buffer
		fill(&b)
		w.Write(b.Bytes())
	})
}

// A file copies by itself.
func file(f *os.File, r io.Reader) { io.Copy(f, r) }

// It has a pool.
func discard(r io.Reader) { io.Copy(io.Discard, r) }

func appended(parts [][]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// Old bytes would be seen.
func resliced(w io.Writer, text string) {
	var all []byte
	all = append(all, text...)
	w.Write(all[:10])
}

func nilSlice(w io.Writer, text string) {
	var all []byte
	if text != "" {
		all = append(all, text...)
	}
	if all != nil {
		w.Write(all)
	}
}

func taken(w io.Writer, text []byte) {
	var all []byte
	all = append(all, text...)
	all = text
	w.Write(all)
}

func returnedRow(n int) []int {
	row := make([]int, n)
	row[0] = 1
	return row
}

func appendedRow(n int) int {
	row := make([]int, n)
	row = append(row, 1)
	return len(row)
}

func swapped(n int) int {
	row, last := make([]int, n), make([]int, n)
	row, last = last, row
	return row[0] + last[0]
}

func pointedAt(n int) *int {
	row := make([]int, n)
	return &row[0]
}

func passedOn(n int, f func([]int)) {
	row := make([]int, n)
	f(row)
}

func inClosure(n int) func() int {
	row := make([]int, n)
	return func() int { return row[0] }
}

func pointers(n int) int {
	row := make([]*int, n)
	return len(row)
}

func capacity(n int) int {
	row := make([]int, n)
	return cap(row)
}

func cutRow(n int) int {
	row := make([]int, n)
	return len(row[1:])
}

func constantRow() int {
	row := make([]int, 10)
	return row[1]
}
