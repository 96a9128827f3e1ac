package a

import (
	"bufio"
	"bytes"
	"io"
	"time"
)

type event struct {
	at     time.Time
	buf    bytes.Buffer
	out    *bufio.Writer
	line   []byte
	layout string
}

type stamp struct{ time.Time }

func slice(b []byte, t time.Time) []byte {
	return append(b, t.Format(time.RFC3339)...) // want `use AppendFormat`
}

func fresh(t time.Time) []byte {
	return append([]byte(nil), t.Format(time.Kitchen)...) // want `use AppendFormat`
}

func loop(times []time.Time) (b []byte) {
	for _, t := range times {
		b = append(b, t.Format(time.RFC3339)...) // want `use AppendFormat`
		b = append(b, '\n')
	}
	return b
}

func branch(b []byte, t time.Time) []byte {
	if !t.IsZero() {
		b = append(b, t.Format("15:04")...) // want `use AppendFormat`
	}
	return b
}

func now(b []byte) []byte {
	return append(b, time.Now().UTC().Format(time.RFC3339Nano)...) // want `use AppendFormat`
}

func buffer(t time.Time) string {
	var buf bytes.Buffer
	buf.WriteString(t.Format(time.RFC3339)) // want `use AppendFormat`
	return buf.String()
}

func pointer(buf *bytes.Buffer, t *time.Time) {
	buf.WriteString(t.Format(time.RFC3339)) // want `use AppendFormat`
}

func (e *event) method() error {
	e.line = append(e.line[:0], e.at.Format(e.layout)...) // want `use AppendFormat`
	e.buf.WriteString(e.at.Format(e.layout))              // want `use AppendFormat`
	_, err := e.out.WriteString(e.at.Format(e.layout))    // want `use AppendFormat`
	return err
}

func deferred(w *bufio.Writer, t time.Time) {
	defer w.WriteString(t.Format(time.RFC3339)) // want `use AppendFormat`
}

func closure(w *bufio.Writer) func(time.Time) {
	return func(t time.Time) {
		w.WriteString((t.Format(time.RFC3339))) // want `use AppendFormat`
	}
}

func generic[T any](b []byte, _ T, t time.Time) []byte {
	return append(b, t.Format(time.RFC3339)...) // want `use AppendFormat`
}

// Without a fix: the call may change the buffer, the type may have another
// method, a comment would be lost.
func noFix(buf *bytes.Buffer, s stamp, when func() time.Time) {
	buf.WriteString(when().Format(time.RFC3339))              // want `use AppendFormat`
	buf.WriteString(s.Format(time.RFC3339))                   // want `use AppendFormat`
	buf.WriteString(s.Time.Format( /* short */ time.Kitchen)) // want `use AppendFormat`
}

func entries(w io.Writer, all []event) error {
	// Line by line.
	for i := range all {
		stamp := all[i].at.Format(time.RFC3339) // want `each iteration makes a string to write it`
		if _, err := io.WriteString(w, stamp); err != nil {
			return err
		}
	}
	return nil
}

func nested(w *bufio.Writer, days [][]time.Time) {
	scratch := 1
outer:
	for _, day := range days {
		for _, t := range day {
			s := t.UTC().Format(time.Kitchen) // want `each iteration`
			if _, err := w.WriteString(s); err != nil {
				break outer
			}
			io.WriteString(w, s)
			io.WriteString(&day2, t.Format(time.Kitchen)) // want `each iteration`
		}
	}
	_ = scratch
}

var day2 bytes.Buffer

// Each text has bytes of its own.
func pairs(w io.Writer, all []event) {
	for _, e := range all {
		first := e.at.Format(time.RFC3339)        // want `each iteration`
		second := e.at.UTC().Format(time.Kitchen) // want `each iteration`
		io.WriteString(w, first)
		io.WriteString(w, second)
	}
}
