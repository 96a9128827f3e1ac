package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/plain"
)

// annotationEscapes are what GitHub's workflow commands ask for
// (docs.github.com, workflow commands; actions/toolkit, core/src/command.ts).
var annotationEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// GateAnnotations writes what did not pass as workflow commands of GitHub
// Actions, which shows them beside the change.
func GateAnnotations(w io.Writer, r *gate.Result, strict bool) error {
	say := func(level, text string) error {
		_, err := fmt.Fprintf(w, "::%s title=heapwright gate::%s\n", level, annotationEscapes.Replace(text))
		return err
	}
	for _, e := range r.Rows {
		level := "warning"
		switch {
		case e.Outcome == gate.Pass:
			continue
		case e.Outcome == gate.Fail, strict && e.Outcome == gate.Inconclusive:
			level = "error"
		}
		if err := say(level, fmt.Sprintf("%s: %s of %s %s", e.Outcome, title(e.Metric), plain.Harmless(e.Key.String()), gateFigures(e))); err != nil {
			return err
		}
	}
	for _, f := range r.Broken {
		if err := say("error", plain.Harmless(f.Key.String())+" no longer runs: "+plain.Harmless(f.Reason)); err != nil {
			return err
		}
	}
	return nil
}
