package view

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/termtext"
)

// library writes the lines of a dependency below the line that calls it.
func (t text) library(all []rules.LibraryLine) {
	if len(all) == 0 {
		return
	}
	t.named("library", "the savings above are for the whole call; its lines in the dependency are:")
	for i := range all {
		l := &all[i]
		t.line("      %s", lineIn(l.File, l.Line, l.Function, columns-6))
		if l.Source != "" {
			t.line("        │ %s", termtext.Cut(l.Source, columns-10))
		}
		for _, s := range termtext.Wrap(lineWords(l), columns-8) {
			t.line("        %s", s)
		}
	}
	if v := versions(all); v != "" {
		t.named("", v)
	}
}

// lineWords describes the cost of a dependency's line, and names the rule for it.
func lineWords(l *rules.LibraryLine) string {
	s := fmt.Sprintf("%s of the call, the line costs %s of CPU", format.RoughShare(l.Share), Between(l.CPU))
	if l.Rule != "" {
		s += fmt.Sprintf("; %s · %s", l.Title, l.Rule)
	}
	return s
}

// versions returns a sentence on whether the dependency is at its newest version, if that
// is known. All lines of a finding are in one module.
func versions(all []rules.LibraryLine) string {
	switch l := &all[0]; {
	case l.Latest == "" || l.Version == "":
		return ""
	case l.Latest == l.Version:
		return fmt.Sprintf("%s %s is the newest version", l.Module, l.Version)
	default:
		return fmt.Sprintf("%s %s is not the newest version, which is %s", l.Module, l.Version, l.Latest)
	}
}
