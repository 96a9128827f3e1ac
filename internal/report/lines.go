package report

import (
	"io"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// linePause keeps a log readable: a run of an hour is a few hundred lines.
const linePause = 10 * time.Second

// lines is the sink for anything but a terminal: one plain line at a time, no
// carriage returns, no escape codes.
type lines struct {
	w     io.Writer
	phase result.Phase
	last  time.Time // when the last line about the phase was written
	err   error
}

func newLines(w io.Writer) *lines { return &lines{w: w} }

func (l *lines) Handle(e result.Event) {
	if p, ok := e.(result.Progress); ok {
		l.progress(p)
		return
	}
	l.print(plain(e))
}

// progress prints the first and the last step of a phase, and in between at most one
// line per pause. Where the total is not known there is no last step.
func (l *lines) progress(p result.Progress) {
	now := time.Now()
	if p.Phase == l.phase && (p.Done < p.Total || p.Total == 0) && now.Sub(l.last) < linePause {
		return
	}
	l.phase, l.last = p.Phase, now
	parts := []string{string(p.Phase) + " " + count(p.Phase, int64(p.Done), int64(p.Total))}
	if s := left(p.ETA); s != "" && p.Done < p.Total {
		parts = append(parts, s)
	}
	if p.Doing != "" {
		parts = append(parts, termtext.Harmless(p.Doing))
	}
	l.print(strings.Join(parts, ", ") + "\n")
}

func (l *lines) Write(text []byte) (int, error) {
	l.print(string(text))
	return len(text), l.err
}

func (l *lines) print(s string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.w, s)
	}
}

func (l *lines) Close() error { return l.err }
