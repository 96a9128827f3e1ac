// Package view writes the result of vet: as lines for people and editors, as JSON,
// as SARIF for code-scanning pages.
package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/vet"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

// Text writes one line for each report, in the form that compilers use and
// editors follow.
func Text(w io.Writer, d *vet.Document) error {
	out := bufio.NewWriter(w)
	for _, r := range d.Reports {
		if r.Fixed {
			continue
		}
		fmt.Fprintf(out, "%s:%d:%d: %s%s [%s]\n", termtext.Harmless(r.File), r.Line, r.Column,
			termtext.Harmless(r.Message), Costs(r.Costs), r.Check)
		for _, rel := range r.Related {
			if rel.Message == "" {
				continue // a line that costs, too
			}
			fmt.Fprintf(out, "\t%s:%d:%d: %s\n", termtext.Harmless(rel.File), rel.Line, rel.Column,
				termtext.Harmless(rel.Message))
		}
	}
	return out.Flush()
}

// Costs returns the text that a message ends with: the costs of its lines.
func Costs(costs []weight.Cost) string {
	var all []string
	for _, c := range costs {
		all = append(all, format.Share(c.Share)+" of "+c.Of)
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// JSON writes the document.
func JSON(w io.Writer, d *vet.Document) error { return termtext.JSON(w, d) }

// Fixed returns a sentence with the number of reports that were fixed, or would be.
func Fixed(d *vet.Document, files int, only bool) string {
	verb := "fixed"
	if only {
		verb = "the diff fixes"
	}
	return fmt.Sprintf("%s %d of %s in %s", verb, d.Fixed(), format.Plural(len(d.Reports), "report"),
		format.Plural(files, "file"))
}
