package a

import (
	"bufio"
	"bytes"
	"time"
)

func returned(t time.Time) func([]byte) []byte {
	return func(b []byte) []byte {
		return append(b, t.Format(time.RFC1123)...) // want `use AppendFormat`
	}
}

func ofAny[T any](b []byte, t time.Time, _ T) []byte {
	return append(b, t.Format(time.RFC3339)...) // want `use AppendFormat`
}

func inGoroutine(t time.Time, done chan []byte) {
	go func() {
		var b []byte
		b = append(b, t.Format(time.DateOnly)...) // want `use AppendFormat`
		done <- b
	}()
}

func eitherWay(buf *bytes.Buffer, t time.Time, short bool) {
	switch {
	case short:
		buf.WriteString(t.Format(time.TimeOnly)) // want `use AppendFormat`
	default:
		buf.WriteString(t.Format(time.RFC3339Nano)) // want `use AppendFormat`
	}
}

func atEnd(w *bufio.Writer, t time.Time) {
	defer func() {
		w.WriteString(t.Format(time.RFC3339)) // want `use AppendFormat`
	}()
}
