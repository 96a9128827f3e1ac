package weight

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// A line is reported if it has at least minShare of a profile, in minSamples samples or
// more: one sample of four is not a quarter of the cost.
const (
	minShare   = 0.01
	minSamples = evidence.MinSamples
)

// Package is a package of the source.
type Package struct {
	Main  bool
	Files []string // Go files, absolute
}

// Lines are the costs of the lines of packages.
type Lines struct {
	Notes []string // doubts about the profiles
	of    *Profiles
	lines map[sourceLine]*[measures]float64
}

type sourceLine struct {
	file string // absolute
	line int
}

// Cost is the share of a profile that lines account for.
type Cost struct {
	Of    string  `json:"of"` // "CPU", "allocated bytes", "allocations" or "live bytes"
	Share float64 `json:"share"`
}

// Lives reports whether live memory is among the costs.
func Lives(all []Cost) bool {
	return slices.ContainsFunc(all, func(c Cost) bool { return c.Of == measureNames[liveBytes] })
}

// Range is the lines from First to Last of a file.
type Range struct {
	File        string
	First, Last int
}

// Costs returns the costs of lines that are 1% and more in enough samples. A line
// that several ranges hold counts once.
func (l *Lines) Costs(ranges ...Range) []Cost {
	var sum [measures]float64
	seen := map[sourceLine]bool{}
	for _, r := range ranges {
		for line := r.First; line <= r.Last; line++ {
			at := sourceLine{r.File, line}
			c := l.lines[at]
			if c == nil || seen[at] {
				continue
			}
			seen[at] = true
			for m := range c {
				sum[m] += c[m]
			}
		}
	}
	var large []Cost
	for m, share := range l.of.shares(sum) {
		if share >= minShare && l.of.sure(measure(m), sum) {
			large = append(large, Cost{measureNames[m], share})
		}
	}
	return large
}

// Locate returns the costs of the lines in the present source. It finds a function by its
// name, and a line by its distance from the function's first line, so a profile of last
// week's build is still useful.
func (p *Profiles) Locate(packages map[string]Package) *Lines {
	// Only packages with samples need to be read.
	profiled := map[string]bool{}
	for line := range p.lines {
		profiled[profile.PackageOf(p.dict.FunctionName(line.function))] = true
	}
	fs := functions{}
	for name, pkg := range packages {
		if profiled[name] || pkg.Main && profiled["main"] {
			for _, file := range pkg.Files {
				fs.addFile(name, file)
			}
		}
	}

	// The costs of lines that are no longer there are counted, too, because they show
	// whether the profiles fit the source at all.
	all := &Lines{of: p, lines: map[sourceLine]*[measures]float64{}, Notes: slices.Clone(p.notes)}
	gone := map[string]*[measures]float64{} // function that has no such line → costs
	var sum [measures]float64
	checked, started := false, false
	for line, cost := range p.lines {
		f := p.dict.Function(line.function)
		if ours(packages, f) {
			checked, started = true, started || f.StartLine > 0
		}
		if at, ok := p.now(fs, f, line.line); ok {
			add(all.lines, at, cost)
		} else if ours(packages, f) {
			add(gone, f.Name, cost)
			for m := range cost {
				sum[m] += cost[m]
			}
		}
	}

	// Without notes, a vet that reports nothing would look like good news.
	switch {
	case len(all.lines)+len(gone) > 0:
	case p.calls(packages):
		all.Notes = append(all.Notes, "the samples are all of dependencies, which are not checked; heapwright diagnose names the lines that call them")
	default:
		all.Notes = append(all.Notes,
			"no function in the profiles is in the checked packages; are the profiles of another program?")
	}
	if checked && !started {
		all.Notes = append(all.Notes, "the profiles have no first lines of functions, so lines that have moved are not found; profile a program built with Go 1.20 or later")
	}
	for m, share := range p.shares(sum) {
		if share < minShare || !started {
			continue
		}
		names := slices.SortedFunc(maps.Keys(gone), func(a, b string) int {
			return cmp.Or(cmp.Compare(gone[b][m], gone[a][m]), cmp.Compare(a, b))
		})
		all.Notes = append(all.Notes, fmt.Sprintf("the profiles are of other source: lines with %s of the %s are not in the functions of today, most of them of %s; profile the program again",
			format.RoughShare(share), measureNames[m], names[0]))
		break
	}
	return all
}

func add[K comparable](to map[K]*[measures]float64, key K, cost *[measures]float64) {
	if to[key] == nil {
		to[key] = new([measures]float64)
	}
	for m := range cost {
		to[key][m] += cost[m]
	}
}

// calls reports whether a function of the packages is on a stack of the profiles.
func (p *Profiles) calls(packages map[string]Package) bool {
	for id := range p.dict.NumFunctions() {
		if ours(packages, p.dict.Function(profile.FunctionID(id))) {
			return true
		}
	}
	return false
}

// ours reports whether a function is, or was, of a checked package.
func ours(packages map[string]Package, f profile.Function) bool {
	pkg := profile.PackageOf(f.Name)
	if pkg != "main" {
		return len(packages[pkg].Files) > 0
	}
	for _, p := range packages {
		for _, file := range p.Files {
			if same := commonEnd(file, f.File); p.Main && (same >= 2 || same == 1 && atRoot(file)) {
				return true
			}
		}
	}
	return false
}

// now returns the place of a profiled line in the source.
func (p *Profiles) now(fs functions, f profile.Function, line int) (sourceLine, bool) {
	pkg, name := profile.PackageOf(f.Name), source.NameInPackage(f.Name)
	then := int(f.StartLine)
	at, ok := fs.find(pkg, name, f.File)
	for around := name; !ok; {
		// A literal of an inlined function, or a body that is no literal of the
		// source, such as the wrapper of a go statement.
		i := strings.LastIndexAny(around, ".-")
		if i < 0 {
			return sourceLine{}, false
		}
		last := around[i+1:]
		around = around[:i]
		if at, ok = fs.find(pkg, around, f.File); !ok {
			at, ok = fs.inlined(around, f.File)
		}
		if !ok {
			continue
		}
		outer := p.start(at)
		if strings.HasPrefix(last, "func") {
			at, ok = at.literal(then - outer)
		} else {
			then = outer
		}
	}
	if then > 0 && !at.initial {
		line += at.start - then
	}
	return sourceLine{at.file, line}, at.start <= line && line <= at.end
}

// start returns the first line of a function in the profiles, or that in today's
// source if they have none.
func (p *Profiles) start(f function) int {
	for _, pkg := range []string{f.pkg, "main"} {
		if line := p.starts[pkg+"."+f.name]; line > 0 && (pkg == f.pkg || f.main) {
			return line
		}
	}
	return f.start
}
