package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
)

// results are the runs of all builds.
type results struct {
	packages []pkg
	runs     []*run
}

func (p *results) differences() int {
	n := 0
	for _, r := range p.runs {
		n += r.sums().differ
	}
	return n
}

// sums are numbers of types, and of their inputs.
type sums struct {
	types, arena, partly, heap, differ int
	accepted, refused, json            int
}

func (s *sums) add(t typeResult) {
	s.types++
	s.accepted += t.Accepted
	s.refused += t.Refused
	s.json += t.JSON
	if t.Differs {
		s.differ++
	}
	switch {
	case len(t.Explained) == 0:
		s.arena++
	case slices.ContainsFunc(t.Explained, func(sentence string) bool { return strings.HasPrefix(sentence, t.Type+" ") }):
		s.heap++
	default:
		s.partly++
	}
}

func (r *run) sums() sums {
	var s sums
	for _, t := range r.types {
		s.add(t)
	}
	return s
}

//go:embed about.txt
var about string

func (p *results) write(w io.Writer) {
	fmt.Fprint(w, page.Head("arenapb/types", "arenapb-types.md", "arenapb on the types of other modules", page.Platform()+". "+about+"\n"),
		page.Columns("build", "types:", "inputs:", "accepted:", "refused:", "in JSON:", "types that differ:"))
	for _, r := range p.runs {
		s := r.sums()
		fmt.Fprint(w, page.Row(r.build.name, s.types, s.accepted+s.refused, s.accepted, s.refused, s.json, s.differ))
	}
	if len(p.runs) < len(builds) {
		fmt.Fprint(w, "\nThe command was stopped before its end.\n")
	}
	fmt.Fprintf(w, `
The first build has more samples of each type than the others. The last two leave out modules with very many types:
%s.
`, strings.Join(paths(large), ", "))
	for _, r := range p.runs {
		for _, t := range r.types {
			if t.Differs {
				fmt.Fprintf(w, "\n**%s differs, %s.**\n", t.Type, r.build.name)
			}
		}
	}
	p.runs[0].writeReasons(w)
	p.writeModules(w)
}

func paths(modules []string) []string {
	var all []string
	for _, m := range modules {
		all = append(all, pathOf(m))
	}
	return all
}

var names = regexp.MustCompile(`^[\w.]+:? (field \w+ (has messages of type [\w.]+, which )?)?`)

// writeReasons counts the reasons of arenapb.Explain.
func (r *run) writeReasons(w io.Writer) {
	places, types := map[string]map[string]bool{}, map[string]int{}
	for _, t := range r.types {
		led := map[string]bool{}
		for _, sentence := range t.Explained {
			reason := names.ReplaceAllString(sentence, "")
			led[reason] = true
			if places[reason] == nil {
				places[reason] = map[string]bool{}
			}
			places[reason][sentence] = true
		}
		for reason := range led {
			types[reason]++
		}
	}
	s := r.sums()
	fmt.Fprintf(w, `
## Fallbacks

%d of %d types are decoded into the arena with all that they lead to. %d have or lead to a part that goes to the heap, and %d go
there themselves. These are the reasons of arenapb.Explain.

`, s.arena, s.types, s.partly, s.heap)
	fmt.Fprint(w, page.Columns("reason", "messages and fields that it is true of:", "types that lead to one:"))
	for _, reason := range slices.SortedFunc(maps.Keys(types), func(x, y string) int {
		return cmp.Or(cmp.Compare(types[y], types[x]), strings.Compare(x, y))
	}) {
		fmt.Fprint(w, page.Row(reason, len(places[reason]), types[reason]))
	}
}

// writeModules counts the types of each module.
func (p *results) writeModules(w io.Writer) {
	fmt.Fprint(w, `
## Modules

Modules that these require come along. Others are types of internal packages, as far as their own modules link them.

`)
	fmt.Fprint(w, page.Columns("module", "version", "types:", "in the arena:", "partly:", "on the heap:"))
	type module struct{ path, version string }
	counts := map[module]*sums{}
	for _, t := range p.runs[0].types {
		i := slices.IndexFunc(p.packages, func(p pkg) bool { return p.path == t.Package })
		of := module{"others", ""} // internal packages
		if i >= 0 {
			of = module{p.packages[i].module, p.packages[i].version}
		}
		if counts[of] == nil {
			counts[of] = new(sums)
		}
		counts[of].add(t)
	}
	for _, m := range slices.SortedFunc(maps.Keys(counts), func(x, y module) int { return strings.Compare(x.path, y.path) }) {
		s := counts[m]
		fmt.Fprint(w, page.Row(m.path, m.version, s.types, s.arena, s.partly, s.heap))
	}
}
