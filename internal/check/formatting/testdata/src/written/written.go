// Package written makes strings to write them.
package written

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

type page struct{ out bytes.Buffer }

func builder(all []float64) string {
	var b strings.Builder
	for _, f := range all {
		b.WriteString(fmt.Sprintf("%6.2f ", f)) // want `fmt makes a string, which is only written: use fmt.Fprintf`
	}
	return b.String()
}

func (p *page) add(f float64, w *bufio.Writer) (int, error) {
	p.out.WriteString(fmt.Sprint("x = ", f)) // want `use fmt.Fprint`
	return w.WriteString(fmt.Sprintln())     // want `use fmt.Fprintln`
}

func writer(w io.Writer, f float64) error {
	if _, err := io.WriteString(w, fmt.Sprintf("%g", f)); err != nil { // want `use fmt.Fprintf`
		return err
	}
	_, err := w.Write([]byte(fmt.Sprintf("%g and %v", f, w))) // want `use fmt.Fprintf`
	os.Stdout.Write([]byte(fmt.Sprintf("%g", f)))             // want `use fmt.Fprintf`
	return err
}

type line struct{ *bytes.Buffer }

// The text is made before the call that is deferred, the method is of the type within, or
// the text is not only written.
func clean(w io.Writer, l line, next func() *bytes.Buffer) string {
	defer io.WriteString(w, fmt.Sprintf("%v", l))
	l.WriteString(fmt.Sprintf("%v", l))
	text := fmt.Sprintf("%v", l)
	io.WriteString(w, text)
	next().WriteString(fmt.Sprintf("%v", w)) // want `use fmt.Fprintf`
	return text
}
