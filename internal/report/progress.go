package report

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/result"
)

// Sink shows the events of one experiment. Close ends what is still drawn; no
// event may follow it.
type Sink interface {
	result.Handler
	io.Closer
}

// Progress returns the sink that suits f: bars on a terminal, elsewhere plain
// lines that a log can keep.
func Progress(f *os.File) Sink {
	if isTerminal(f) {
		return newBars(f)
	}
	return newLines(f)
}

// isTerminal reports whether f is a terminal with room to draw on: some
// continuous-integration systems have one of no size.
func isTerminal(f *os.File) bool {
	if os.Getenv("TERM") == "dumb" || !cwriter.IsTerminal(int(f.Fd())) {
		return false
	}
	columns, rows, err := cwriter.GetSize(int(f.Fd()))
	return err == nil && columns > 0 && rows > 0
}

// tell says an event in a few lines of plain text: "" if there is nothing to
// tell beyond the progress.
func tell(e result.Event) string {
	switch e := e.(type) {
	case result.Note:
		return "note: " + plain.Harmless(e.Text) + "\n"
	case result.RunFailed:
		s := fmt.Sprintf("failed: %s in %s, block %d: %s\n", plain.Harmless(e.Key.String()), plain.Harmless(e.Mode), e.Block, plain.Harmless(e.Reason))
		for _, l := range lastLines(e.Output, 5) {
			s += "    " + l + "\n"
		}
		return s
	case result.Looked:
		if e.Open == 0 {
			return fmt.Sprintf("look at %d blocks: every question is decided\n", e.Blocks)
		}
		return fmt.Sprintf("look at %d blocks: %d of %d questions are open\n", e.Blocks, e.Open, len(e.Effects))
	}
	return ""
}

// left says how long something will take yet: "2m10s left".
func left(eta time.Duration) string {
	switch {
	case eta <= 0:
		return ""
	case eta < 10*time.Second:
		return "a moment left"
	}
	return eta.Round(time.Second).String() + " left"
}
