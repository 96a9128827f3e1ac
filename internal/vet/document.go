package vet

import (
	"strings"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

// Schema is the version of the document. It changes when a field is removed or
// changes its meaning.
const Schema = "heapwright.vet/1"

// Document is the result of one run.
type Document struct {
	Schema   string    `json:"schema"`
	Tool     string    `json:"tool"`
	Command  []string  `json:"command"`
	Dir      string    `json:"dir"` // absolute; the files of the reports are relative to it
	Reports  []Report  `json:"reports"`
	Failures []Failure `json:"failures,omitempty"`
	Notes    []string  `json:"notes,omitempty"`

	roots map[string]bool // the packages to check, as the tool names them; nil is all
	files map[string]bool // absolute names of the packages' files that a fix may edit; nil is all
}

// Report is the message of one check about one place.
type Report struct {
	Check   string     `json:"check"`
	Kind    check.Kind `json:"kind"`
	Package string     `json:"package"`
	Place
	Message string        `json:"message"`
	Related []Explanation `json:"related,omitempty"`
	Costs   []weight.Cost `json:"costs,omitempty"` // costs of 1% and more; only with profiles
	Fix     *Fix          `json:"fix,omitempty"`
	Fixed   bool          `json:"fixed,omitempty"` // the fix was applied, or is part of the diff

	category string // the diagnostic's
}

// Place is a part of a file. Lines and columns count from 1, columns in bytes.
type Place struct {
	File      string `json:"file"` // slash-separated; relative to Document.Dir if it is below
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

// Explanation is a further place that explains a report.
type Explanation struct {
	Place
	Message string `json:"message"`
}

// Fix is a change that is safe to apply: its check has proven the preconditions.
type Fix struct {
	Message string      `json:"message"`
	Edits   []edit.Edit `json:"edits"`
}

// Failure is a package, or a check of one, that could not be judged.
type Failure struct {
	Package string `json:"package"`
	Check   string `json:"check,omitempty"` // "" is all of them
	Reason  string `json:"reason"`          // may have several lines

	tests bool // the package itself compiles, so that others can import it
}

func (f Failure) String() string {
	subject := f.Package
	if f.Check != "" {
		subject = f.Check + " on " + f.Package
	}
	reason := indented(f.Reason)
	if subject == "" {
		return reason
	}
	return subject + " could not be checked: " + reason
}

// indented sets off the lines that follow the first.
func indented(text string) string {
	return strings.NewReplacer("\n", "\n    ", "\t", "").Replace(text)
}

// Fixed returns the number of reports whose fix is applied, or part of the diff.
func (d *Document) Fixed() int {
	n := 0
	for _, r := range d.Reports {
		if r.Fixed {
			n++
		}
	}
	return n
}
