package rules

import (
	"slices"
	"strings"
	"testing"
)

const sumAndNodes = `package main

type node struct{ next *node }

var head *node

func load() { head = &node{} }

func join(parts []string) string {
	all := ""
	for _, p := range parts {
		all += p
	}
	return all
}

func main() {}
`

// A setting that spares collections is worth as much as the garbage that is left after the
// lines are changed.
func TestSettingsAfterLines(t *testing.T) {
	ranked := func(s *scene) (names []string) {
		for _, f := range s.find() {
			names = append(names, f.Rule)
		}
		return names
	}
	t.Run("garbage of one line", func(t *testing.T) {
		s := newScene(t, sumAndNodes)
		s.churn("runtime.concatstring2", s.frame("join", "all += p"))
		if names := ranked(s); names[0] != "string-concatenation" || slices.Contains(names, "frequent-gc") {
			t.Error(names)
		}
		has(t, strings.Join(s.notes, "\n"), "frequent-gc is left out, because main.go:12 makes 100% of the garbage")
	})
	t.Run("garbage of two lines", func(t *testing.T) {
		s := newScene(t, sumAndNodes)
		s.churn("runtime.concatstring2", s.frame("join", "all += p")).churn("runtime.newobject", s.frame("load", "head = &node"))
		names := ranked(s)
		if i := slices.Index(names, "frequent-gc"); i < 1 || names[0] != "string-concatenation" {
			t.Error(names)
		}
	})
	t.Run("garbage that no line can avoid", func(t *testing.T) {
		s := newScene(t, sumAndNodes)
		s.churn("runtime.newobject", s.frame("load", "head = &node"))
		if names := ranked(s); !slices.Contains(names, "frequent-gc") {
			t.Error(names)
		}
	})
	t.Run("memory that grows outside the heap", func(t *testing.T) {
		s := newScene(t, sumAndNodes)
		s.churn("runtime.newobject", s.frame("load", "head = &node")).observed(40*mib, 200*mib, 10*mib, 0, 0)
		if names := ranked(s); !slices.Contains(names, "outside-heap") || slices.Contains(names, "frequent-gc") {
			t.Error(names)
		}
		has(t, strings.Join(s.notes, "\n"), "would only hide it for a while")
	})
}
