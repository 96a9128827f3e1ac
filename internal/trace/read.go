package trace

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/exp/trace"

	"github.com/heapwright/heapwright/internal/termtext"
)

// DefaultMaxMemory bounds the memory of reading one trace.
const DefaultMaxMemory = 1 << 30

// maxSpan is the longest time that a trace may cover. Times beyond it are damage.
const maxSpan = 7 * 24 * time.Hour

// ErrTruncated is in the error of a trace that breaks off. The document that
// comes with it holds the part before.
var ErrTruncated = errors.New("the trace breaks off")

// Options of Read. The zero value is useful.
type Options struct {
	// MaxMemory is the most bytes of heap that the process may hold while it reads.
	// Reading holds one generation of the trace, about a second of it, in memory.
	MaxMemory int64
	// Progress is called now and then with the bytes read so far; nil is nobody.
	Progress func(read int64)
}

// Read reads a trace to its end, as a stream. Errors are one line that begins with
// the trace's name. With ErrTruncated there is a document too; with any other
// error there is none. ctx ends it.
func Read(ctx context.Context, source string, r io.Reader, opts Options) (*Document, error) {
	doc, err := read(ctx, r, opts)
	if doc != nil {
		doc.Source = termtext.Harmless(source)
	}
	if err != nil {
		return doc, fmt.Errorf("%s: %w", termtext.Harmless(source), err)
	}
	return doc, nil
}

func read(ctx context.Context, r io.Reader, opts Options) (*Document, error) {
	// A file of another kind or version gets an error that names it.
	g := &guard{r: r, ctx: ctx, max: cmp.Or(opts.MaxMemory, DefaultMaxMemory), progress: opts.Progress}
	in := bufio.NewReaderSize(g, 1<<16)
	format, err := checkHeader(in)
	if err != nil {
		return nil, err
	}
	events, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	// A killed process leaves a trace that ends in the middle of an event. The events up to
	// there count.
	m := newMachine()
	began := ""
	for {
		e, err := next(events)
		switch {
		case g.failed != nil:
			return nil, g.failed
		case err != nil:
			doc, err := m.last(err, g.read)
			if doc != nil {
				doc.Format, doc.Bytes, doc.Began = format, g.read, began
			}
			return doc, err
		}
		if at := e.Time().Sub(m.start); m.started && (at < 0 || at > maxSpan) { // below 0 it has overflowed
			return nil, errors.New("damaged: its events lie more than a week apart; record the trace again")
		}
		if e.Kind() == trace.EventSync && began == "" {
			if clock := e.Sync().ClockSnapshot; clock != nil {
				began = clock.Wall.UTC().Format(time.RFC3339Nano)
			}
		}
		// Looking at the heap takes much longer than an event, so do it rarely.
		m.take(e)
		if m.events%(1<<16) == 0 {
			if err := g.check(); err != nil {
				return nil, err
			}
		}
	}
}

// next reads an event. The library panics on some damaged traces, whose tables
// disagree; that is an error of the trace, not of this program.
func next(events *trace.Reader) (e trace.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return events.ReadEvent()
}

// truncations are parts of the reader's errors about a trace that just ends. The
// frequency and the clock are the last things in a generation of their formats.
var truncations = []string{"truncated", "failed to read full", "EOF", "no frequency event found",
	"no clock snapshot event found"}

// last returns the document and the error of a trace that the reader's error ends.
func (m *machine) last(err error, read int64) (*Document, error) {
	if err == io.EOF {
		if m.events < 3 { // the reader makes two itself
			return nil, errors.New("there are no events in it: the runtime writes about once a second, and the program ended before; stop the trace before the program ends, or trace for longer")
		}
		return m.document(), nil
	}
	reason, _, _ := strings.Cut(err.Error(), "\n") // the reader's tables follow
	if !slices.ContainsFunc(truncations, func(part string) bool { return strings.Contains(reason, part) }) {
		return nil, fmt.Errorf("damaged, at or before byte %d: %s; record the trace again", read,
			termtext.Harmless(clip(reason)))
	}
	if m.events < 3 {
		return nil, fmt.Errorf(
			"%w after %d bytes, within its first generation of about a second, of which nothing can be read; "+
				"stop the trace before the program ends, and fetch it whole", ErrTruncated, read)
	}
	err = fmt.Errorf("%w after %d bytes; stop the trace before the program ends, and fetch it whole",
		ErrTruncated, read)
	doc := m.document()
	doc.Warnings = append(doc.Warnings,
		"The trace breaks off: the figures are of the part before, and its last second may be missing.")
	return doc, err
}

func clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}
