package main

import (
	"cmp"
	_ "embed"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
)

// results are the runs of all builds.
type results struct {
	packages []pkg
	Runs     []*run
}

func (p *results) differences() int {
	n := 0
	for _, r := range p.Runs {
		n += r.Sums().Differ
	}
	return n
}

// sums are numbers of types, and of their inputs.
type sums struct {
	Types, Arena, Partly, Heap, Differ int
	Accepted, Refused, JSON            int
}

func (s *sums) Inputs() int { return s.Accepted + s.Refused }

func (s *sums) add(t typeResult) {
	s.Types++
	s.Accepted += t.Accepted
	s.Refused += t.Refused
	s.JSON += t.JSON
	if t.Differs {
		s.Differ++
	}
	switch {
	case len(t.Explained) == 0:
		s.Arena++
	case slices.ContainsFunc(t.Explained, func(sentence string) bool { return strings.HasPrefix(sentence, t.Type+" ") }):
		s.Heap++
	default:
		s.Partly++
	}
}

// Sums adds up all types.
func (r *run) Sums() *sums {
	var s sums
	for _, t := range r.Types {
		s.add(t)
	}
	return &s
}

//go:embed page.tmpl
var text string

func (p *results) page() string {
	return page.Head("arenapb/types", "arenapb-types.md", "arenapb on the types of other modules", page.Fill(text, p))
}

// Stopped reports whether the command was stopped before its end.
func (p *results) Stopped() bool { return len(p.Runs) < len(builds) }

// Large lists the modules with very many types.
func (p *results) Large() string {
	var all []string
	for _, m := range large {
		all = append(all, pathOf(m))
	}
	return strings.Join(all, ", ")
}

// reason is a reason of arenapb.Explain.
type reason struct {
	Text   string
	Places map[string]bool // the messages and fields that it is true of
	Types  int             // types that lead to one
}

var names = regexp.MustCompile(`^[\w.]+:? (field \w+ (has messages of type [\w.]+, which )?)?`)

// Reasons counts the reasons, the most frequent first.
func (r *run) Reasons() []*reason {
	var all []*reason
	for _, t := range r.Types {
		led := map[*reason]bool{}
		for _, sentence := range t.Explained {
			text := names.ReplaceAllString(sentence, "")
			i := slices.IndexFunc(all, func(r *reason) bool { return r.Text == text })
			if i < 0 {
				i = len(all)
				all = append(all, &reason{Text: text, Places: map[string]bool{}})
			}
			all[i].Places[sentence], led[all[i]] = true, true
		}
		for reason := range led {
			reason.Types++
		}
	}
	slices.SortFunc(all, func(x, y *reason) int {
		return cmp.Or(cmp.Compare(y.Types, x.Types), strings.Compare(x.Text, y.Text))
	})
	return all
}

// moduleSums are the types of a module.
type moduleSums struct {
	Path, Version string
	sums
}

// Modules counts the types of each module. Internal packages are other modules'.
func (p *results) Modules() []*moduleSums {
	packages := map[string]pkg{}
	for _, p := range p.packages {
		packages[p.path] = p
	}
	counts := map[string]*moduleSums{}
	for _, t := range p.Runs[0].Types {
		of, ok := packages[t.Package]
		if !ok {
			of = pkg{module: "others"}
		}
		if counts[of.module] == nil {
			counts[of.module] = &moduleSums{Path: of.module, Version: of.version}
		}
		counts[of.module].add(t)
	}
	return slices.SortedFunc(maps.Values(counts), func(x, y *moduleSums) int { return strings.Compare(x.Path, y.Path) })
}
