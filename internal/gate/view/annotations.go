package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
)

// annotationEscapes are the escapes of GitHub's workflow commands
// (docs.github.com, workflow commands; actions/toolkit, core/src/command.ts).
var annotationEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

var propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")

// Annotations writes the rows that did not pass as workflow commands of GitHub
// Actions, which shows them beside the change: at the lines that a metric grew
// by, where they are known.
func Annotations(w io.Writer, r *gate.Result, strict bool) error {
	say := func(level, at, text string) error {
		_, err := fmt.Fprintf(w, "::%s %stitle=heapwright gate::%s\n", level, at, annotationEscapes.Replace(text))
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
		text := fmt.Sprintf("%s: %s of %s %s", e.Outcome, sample.Lookup(e.Metric).Title,
			termtext.Harmless(e.Key.String()), figures(e))
		if len(e.Sites) == 0 {
			if err := say(level, "", text); err != nil {
				return err
			}
		}
		for i, s := range e.Sites {
			if i > 0 { // one error is enough for one metric
				level, text = "notice", fmt.Sprintf("%s of %s grew here as well", sample.Lookup(e.Metric).Title,
					termtext.Harmless(e.Key.String()))
			}
			at := fmt.Sprintf("file=%s,line=%d,", propertyEscapes.Replace(s.File), s.Line)
			if err := say(level, at, text+"; "+growth(e, s)); err != nil {
				return err
			}
		}
	}
	for _, f := range r.Broken {
		if err := say("error", "", termtext.Harmless(f.Key.String())+" no longer runs: "+
			termtext.Harmless(f.Reason)); err != nil {
			return err
		}
	}
	return nil
}
