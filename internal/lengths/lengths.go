package lengths

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"

	"github.com/heapwright/heapwright/internal/check/rewrite"
	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/target"
)

// Check is the name of the changes, beside the names of checks.
const Check = "measuredsize"

// Line is a line at which a finding says that something grows.
type Line struct {
	File string // absolute
	Line int
	// Of is the number of the finding. Several lines may be of one.
	Of int
	// Caller is set if the finding is about a function that the line calls. So it can only be
	// about a text that the line hands over.
	Caller bool
}

// Plan is the order for measuring lengths. All fields but Among and Handler are required.
type Plan struct {
	Target  target.Target
	Dir     string // the target's folder, absolute
	Source  *source.Index
	Lines   []Line
	OutDir  string // counts and the changed source are kept here
	Budget  time.Duration
	Among   []sample.Key // benchmarks, if they are known
	Handler result.Handler
}

// Change makes room for a slice, map or text that grows at the lines of a finding.
type Change struct {
	Patch string // a unified diff; "" where there is none
	Room  int    // bytes of a text, elements of a slice, entries of a map
	Unit  string
	// Name is the variable's.
	Name string
}

//go:embed counter.go.txt
var counter string

const (
	// addedFile is the file that each package gets whose lengths are counted.
	addedFile = "heapwright_lengths.go"
	// runTime is how long each benchmark counts.
	runTime = 100 * time.Millisecond
)

// site is a grower whose lengths are counted.
type site struct {
	kind kind
	name string
	late bool
	// escapes says that others get the slice.
	escapes bool
	width   int64 // bytes of an element of a slice
	of      []int // numbers of the findings at lines where it grows
	through []int // numbers of the findings in functions that get it at such a line
	size    []edit.Edit
	pkg     *edit.Package
}

// Run counts the lengths of everything that grows at the lines, and returns a change for each
// finding, in their order.
func Run(ctx context.Context, p Plan) ([]Change, error) {
	sites, diff := p.instrument()
	if diff == "" {
		return make([]Change, p.findings()), nil
	}
	file := filepath.Join(p.OutDir, "lengths.diff")
	err := result.ReplaceAll(p.OutDir, map[string]func(io.Writer) error{
		filepath.Base(file): func(w io.Writer) error { _, err := io.WriteString(w, diff); return err },
	})
	if err != nil {
		return nil, err
	}
	modes, err := mode.Parse(mode.PatchSetting(file))
	if err != nil {
		return nil, err
	}
	plan := experiment.Plan{
		Target: p.Target, Modes: modes, Dir: p.Dir, OutDir: filepath.Join(p.OutDir, "run"), Budget: max(p.Budget, 1),
		Blocks: 1, RunTime: runTime, Among: slices.Clone(p.Among), Select: true, Handler: p.Handler,
	}
	runErr := experiment.Run(ctx, plan, experiment.NewDocument(), nil)
	counts, err := read(ctx, p.OutDir)
	if err != nil {
		return nil, err
	}
	if len(counts) == 0 {
		return make([]Change, p.findings()), runErr
	}
	made := make([]Change, len(sites))
	for i, s := range sites {
		room, suffices := s.room(counts[i])
		if room == 0 {
			continue
		}
		edits := slices.Clone(s.size)
		for i := range edits {
			edits[i].New = strings.NewReplacer(number, strconv.Itoa(room), share, suffices).Replace(edits[i].New)
		}
		patch, err := s.pkg.Patch(edits)
		if err == nil { // it type-checks
			made[i] = Change{Patch: patch, Room: room, Unit: s.unit(), Name: s.name}
		}
	}
	return assign(p.findings(), sites, made), nil
}

// assign gives each finding the change for a site: for the first one that grows at the finding's
// own line, or else for one that a caller hands over.
func assign(findings int, sites []site, made []Change) []Change {
	changes := make([]Change, findings)
	give := func(c Change, to []int) {
		for _, of := range to {
			if changes[of].Patch == "" {
				changes[of] = c
			}
		}
	}
	for i, s := range sites {
		give(made[i], s.of)
	}
	for i, s := range sites {
		give(made[i], s.through)
	}
	return changes
}

// findings returns the number of findings that the lines are of.
func (p Plan) findings() (n int) {
	for _, l := range p.Lines {
		n = max(n, l.Of+1)
	}
	return n
}

// instrument finds the growers at the lines and changes their packages so that lengths are
// counted.
func (p Plan) instrument() (sites []site, diff string) {
	done := map[string]bool{}
	for _, l := range p.Lines {
		dir := filepath.Dir(l.File)
		if done[dir] {
			continue
		}
		done[dir] = true
		pkg, err := edit.Open(p.Source, l.File)
		if err != nil {
			continue
		}
		first := len(sites)
		found, edits := p.sitesOf(pkg, first)
		if len(edits) == 0 {
			continue
		}
		text := strings.NewReplacer(
			"PACKAGE", pkg.Name(), "SITES", strconv.Itoa(first+len(found)), "BUCKETS", strconv.Itoa(buckets),
			"FOLDER", strconv.Quote(p.OutDir), "FILE", fmt.Sprintf("%s%d", prefix, first),
		)
		patch, err := pkg.PatchWith(edits, filepath.Join(dir, addedFile), text.Replace(counter))
		if err != nil {
			continue
		}
		sites, diff = append(sites, found...), diff+patch
	}
	return sites, diff
}

// sitesOf returns the growers of a package at the lines, numbered from first, and the edits
// that count.
func (p Plan) sitesOf(pkg *edit.Package, first int) (sites []site, edits []edit.Edit) {
	requires := []*analysis.Analyzer{inspect.Analyzer, rewrite.Analyzer}
	find := &analysis.Analyzer{Name: Check, Doc: Check, Requires: requires}
	find.Run = func(pass *analysis.Pass) (any, error) {
		code := rewrite.Of(pass)
		for _, g := range growers(pass) {
			at := pass.Fset.Position(g.at.Node().Pos())
			var of, through []int
			for _, l := range p.Lines {
				switch {
				case l.File != at.Filename || !g.isAt(pass.Fset, code, l):
				case l.Caller:
					through = append(through, l.Of)
				default:
					of = append(of, l.Of)
				}
			}
			size := g.size()
			if len(of)+len(through) == 0 || len(size) == 0 {
				continue
			}
			number := first + len(sites)
			sites = append(sites, site{
				kind: g.kind, name: g.name, late: g.late, escapes: g.escapes, width: g.width(pass.TypesSizes),
				of: of, through: through, pkg: pkg,
			})
			report(pass, g.at.Node().Pos(), counts+strconv.Itoa(number), g.count(number))
			report(pass, g.at.Node().Pos(), sizes+strconv.Itoa(number), size)
		}
		return nil, nil
	}
	for _, fix := range pkg.Fixes([]*analysis.Analyzer{find}) {
		if text, ok := strings.CutPrefix(fix.Message, sizes); ok {
			i, _ := strconv.Atoi(text)
			sites[i-first].size = fix.Edits
			continue
		}
		for _, e := range fix.Edits {
			edits = edit.Insert(edits, e)
		}
	}
	return sites, edits
}

// prefix begins the names of the files with counts, and mostCounts bounds one in bytes.
const (
	prefix     = "counts-"
	mostCounts = 16 << 20
)

// read returns the counts of each process that has any, by site.
func read(ctx context.Context, dir string) (map[int][]*tally, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[int][]*tally{}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), prefix) || strings.HasSuffix(f.Name(), ".new") {
			continue
		}
		text, err := input.ReadFile(ctx, filepath.Join(dir, f.Name()), mostCounts)
		if err != nil {
			return nil, err
		}
		process := map[int]*tally{}
		for line := range strings.Lines(string(text)) {
			var i, bucket int
			var event string
			var n int64
			if _, err := fmt.Sscan(line, &i, &event, &bucket, &n); err != nil || bucket < 0 || bucket >= buckets {
				continue
			}
			if process[i] == nil {
				process[i] = &tally{}
				all[i] = append(all[i], process[i])
			}
			process[i].add(event, bucket, n)
		}
	}
	return all, nil
}
