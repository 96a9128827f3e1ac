package report

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Sink shows the events of one experiment. Write adds whole lines of text, above a bar
// that is still drawn. Close ends that bar; no event and no text may follow it.
type Sink interface {
	result.Handler
	io.WriteCloser
}

// Progress returns the sink that suits f: bars on a terminal, elsewhere plain
// lines that a log can keep.
func Progress(f *os.File) Sink {
	if termtext.IsTerminal(f) {
		return newBars(f)
	}
	return newLines(f)
}

// plain writes an event in a few lines of plain text: "" if there is nothing to
// say beyond the progress.
func plain(e result.Event) string {
	switch e := e.(type) {
	case result.Note:
		return "note: " + termtext.Harmless(e.Text) + "\n"
	case result.RunFailure:
		s := fmt.Sprintf("failed: %s: %s\n", termtext.Harmless(e.Run()), termtext.Harmless(e.Reason))
		for _, l := range termtext.LastLines(e.Output, 5) {
			s += "    " + l + "\n"
		}
		return s
	case result.Analysis:
		if e.Open == 0 {
			return fmt.Sprintf("interim analysis after %s: every question is decided\n",
				format.Plural(e.Blocks, "block"))
		}
		return fmt.Sprintf("interim analysis after %s: %d of %d questions are open\n", format.Plural(e.Blocks, "block"),
			e.Open, len(e.Effects))
	}
	return ""
}

// count says how much of a phase is done: "17/200 MiB", or "17 MiB" where the total is not
// known.
func count(p result.Phase, done, total int64) string {
	if total == 0 && p.Unit() != "" {
		return fmt.Sprintf("%d%s", done, p.Unit())
	}
	return fmt.Sprintf("%d/%d%s", done, total, p.Unit())
}

// left says how long something will take yet: "2m10s left".
func left(eta time.Duration) string {
	switch {
	case eta <= 0:
		return ""
	case eta < 10*time.Second:
		return "a moment left"
	}
	return format.Duration(eta.Round(time.Second)) + " left"
}
