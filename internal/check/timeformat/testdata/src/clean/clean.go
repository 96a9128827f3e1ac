package clean

import (
	"bytes"
	"io"
	"strings"
	"time"
)

type date struct{}

func (date) Format(string) string { return "today" }

type line []byte

func other(b []byte, d date) []byte { return append(b, d.Format("")...) }

func kept(t time.Time) string { return t.Format(time.RFC3339) }

func joined(b []byte, t time.Time) []byte { return append(b, "at "+t.Format(time.RFC3339)...) }

func builder(b *strings.Builder, t time.Time) { b.WriteString(t.Format(time.RFC3339)) }

func named(b line, t time.Time) line { return append(b, t.Format(time.RFC3339)...) }

func strs(all []string, t time.Time) []string { return append(all, t.Format(time.RFC3339)) }

func already(b []byte, buf *bytes.Buffer, t time.Time) []byte {
	buf.Write(t.AppendFormat(buf.AvailableBuffer(), time.RFC3339))
	return t.AppendFormat(b, time.RFC3339)
}

// Once is not often enough for a slice that is used again.
func once(w io.Writer, t time.Time) { io.WriteString(w, t.Format(time.RFC3339)) }

func longer(w io.Writer, all []time.Time) (last string) {
	for _, t := range all {
		s := t.Format(time.RFC3339)
		io.WriteString(w, s)
		last = s
	}
	return last
}

func later(w io.Writer, all []time.Time) {
	for _, t := range all {
		s := t.Format(time.RFC3339)
		defer io.WriteString(w, s)
		func() { io.WriteString(w, t.Format(time.RFC3339)) }()
	}
}
