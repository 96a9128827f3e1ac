package cli

import (
	"flag"
	"slices"
	"testing"
)

// A flag has one meaning in all commands: at least, the values of a name are of one
// kind. Help shows the kind as the name of the value.
func TestOneMeaningPerFlag(t *testing.T) {
	kinds := map[string]string{"o": "DIR"} // and FILE, where the output is one file
	for _, c := range commands {
		fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.prepare(fs)
		for _, name := range flagNames(fs) {
			kind, usage := flag.UnquoteUsage(fs.Lookup(name))
			switch kind {
			case "duration", "value", "string", "int", "uint", "float":
				t.Errorf("heapwright %s -%s: %q does not name the value", c.name, name, usage)
			}
			if c.name == "vet" && name == "diff" {
				continue // a switch beside -fix, as in go fix
			}
			if other, ok := kinds[name]; ok && kind != other && !(name == "o" && kind == "FILE") {
				t.Errorf("heapwright %s -%s takes %q, elsewhere %q", c.name, name, kind, other)
			}
			kinds[name] = kind
			if name == "o" {
				kinds[name] = "DIR"
			}
		}
	}
}

// Every flag is in one section, and the short help of a command is short.
func TestSections(t *testing.T) {
	place := map[string]string{}
	var first []string
	for _, s := range sections {
		first = append(first, s.first...)
		for _, name := range slices.Concat(s.first, s.rest) {
			if place[name] != "" {
				t.Errorf("-%s is in the sections %s and %s", name, place[name], s.title)
			}
			place[name] = s.title
		}
	}
	used := map[string]bool{}
	for _, c := range commands {
		fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.prepare(fs)
		short := 0
		for _, name := range flagNames(fs) {
			used[name] = true
			if place[name] == "" {
				t.Errorf("heapwright %s -%s: in no section of its help", c.name, name)
			}
			if slices.Contains(first, name) {
				short++
			}
		}
		if short > 13 {
			t.Errorf("heapwright %s -h shows %d flags", c.name, short)
		}
	}
	for name, title := range place {
		if !used[name] {
			t.Errorf("section %s: no command has -%s", title, name)
		}
	}
}
