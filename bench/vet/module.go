package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vetting"
	"github.com/heapwright/heapwright/internal/vet"
)

// An outcome is the result of one module.
type outcome struct {
	Module   string
	Commit   string // the commit of heapwright
	Lines    int    // lines of Go code, including tests
	Reports  []report
	Failures []string // packages that could not be checked
	Offered  int      // fixes
	Applied  int
	Left     []string // files that no fix changes, with the reason
	Broken   []string // new messages of go build and go vet
	Tested   int      // tests that passed twice before
	Failing  []string // the tests among them that fail now
	Unstable []string // tests that failed before, at least once
}

// A report is a report of vet, with the code around it.
type report struct {
	Check, File string
	Line        int
	Message     string
	Code        string
}

// rounds is the largest number of rounds in which fixes are applied. A fix that overlaps
// another one is applied in a later round.
const rounds = 5

// outcome returns the stored outcome of a module, or runs the checks on it. It returns nil if
// nothing is stored, and the flags say to run nothing.
func (s *settings) outcome(ctx context.Context, m module) (*outcome, error) {
	dir := filepath.Join(s.Out, strings.NewReplacer("/", "_", "@", "_").Replace(m.name))
	o, err := program.ReadJSON[*outcome](dir + ".json")
	if !errors.Is(err, fs.ErrNotExist) {
		return o, err
	}
	if s.Again {
		return nil, nil
	}
	fmt.Fprintf(os.Stderr, "%s: fetch and vet\n", m.name)
	o, err = s.try(ctx, m, dir)
	if err != nil {
		return nil, err
	}
	return o, program.WriteJSON(dir+".json", o)
}

func (s *settings) try(ctx context.Context, m module, dir string) (*outcome, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	if m.name == "std" {
		return s.standard(ctx, m, dir)
	}
	if err := fetch.Module(ctx, m.name, dir); err != nil {
		return nil, err
	}
	before := dir + ".before"
	defer os.RemoveAll(before)
	return s.apply(ctx, m, checkout{program.Outside(dir), "./..."}, func() (checkout, error) {
		return checkout{program.Outside(before), "./..."}, fetch.Module(ctx, m.name, before)
	})
}

// A checkout is a copy of a module.
type checkout struct {
	program.In
	pattern string // the pattern of its packages
}

// apply applies all fixes and proves the result. The function unchanged returns a copy of the
// module without the fixes.
func (s *settings) apply(ctx context.Context, m module, c checkout, unchanged func() (checkout, error)) (*outcome, error) {
	// Messages that the published module has anyway are not the fixes' fault.
	var before []string
	if !s.reports {
		before = c.messages(ctx)
	}
	d, err := vetting.Vet(ctx, c.In, s.Tool, "-all", c.pattern)
	if err != nil {
		return nil, err
	}
	o, err := newOutcome(m.name, d, c.Dir)
	if err != nil || s.reports {
		return o, err
	}

	// Tests run twice before, because one that does not pass both times proves nothing.
	packages := changed(d)
	if m.name == "std" {
		packages = some(packages)
	}
	var passed map[string]bool
	if s.test && m.tested {
		passed, o.Unstable = stable(ctx, c, packages)
		o.Tested = len(passed)
	}

	// One round leaves fixes that overlap others.
	for range rounds {
		d, err := vetting.Vet(ctx, c.In, s.Tool, "-all", "-fix", c.pattern)
		if err != nil {
			return nil, err
		}
		o.Applied += d.Fixed()
		for _, n := range d.Notes {
			if strings.Contains(n, " is left alone: ") && !slices.Contains(o.Left, n) {
				o.Left = append(o.Left, n)
			}
		}
		if d.Fixed() == 0 {
			break
		}
	}

	// Whatever is new now is a fault of the fixes, unless a test fails by chance.
	for _, m := range c.messages(ctx) {
		if !slices.Contains(before, m) {
			o.Broken = append(o.Broken, m)
		}
	}
	if len(passed) > 0 {
		now := c.test(ctx, packages)
		for _, name := range slices.Sorted(maps.Keys(passed)) {
			if !now[name] {
				o.Failing = append(o.Failing, name)
			}
		}
	}
	if len(o.Failing) == 0 {
		return o, nil
	}
	old, err := unchanged()
	if err != nil {
		return nil, err
	}
	o.acquit(ctx, old, packages)
	return o, nil
}

// acquit runs the tests that fail now on the unchanged module. Those that fail there, too, had
// passed by chance.
func (o *outcome) acquit(ctx context.Context, old checkout, packages []string) {
	before := old.test(ctx, packages)
	o.Failing = slices.DeleteFunc(o.Failing, func(name string) bool {
		if before[name] {
			return false
		}
		o.Unstable = append(o.Unstable, name)
		return true
	})
}

// newOutcome returns an outcome with the reports of a document about the module in dir.
func newOutcome(module string, d *vet.Document, dir string) (*outcome, error) {
	o := &outcome{Module: module, Commit: page.Now().Commit}
	var err error
	if o.Lines, err = lines(dir); err != nil {
		return nil, err
	}
	for _, r := range d.Reports {
		file := r.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(d.Dir, file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if rel, err := filepath.Rel(dir, file); err == nil {
			file = filepath.ToSlash(rel)
		}
		o.Reports = append(o.Reports, report{r.Check, file, r.Line, r.Message, excerpt(string(text), r.Line, r.EndLine)})
		if r.Fix != nil {
			o.Offered++
		}
	}
	for _, f := range d.Failures {
		reason, _, _ := strings.Cut(f.String(), ": reading http") // the address of a registry is of no use to readers
		o.Failures = append(o.Failures, reason)
	}
	return o, nil
}

// changed returns the packages for which a document has fixes.
func changed(d *vet.Document) []string {
	all := map[string]bool{}
	for _, r := range d.Reports {
		if r.Fix != nil {
			all["./"+filepath.ToSlash(filepath.Dir(r.File))] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// around is the number of lines that an excerpt shows before and after a report.
const around = 14

// excerpt returns the lines from first to last, and some lines around them, with numbers.
func excerpt(text string, first, last int) string {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		if n := i + 1; n >= first-around && n <= min(max(first, last), first+around)+around {
			mark := ' '
			if n >= first && n <= last {
				mark = '>'
			}
			fmt.Fprintf(&b, "%c%5d %s\n", mark, n, l)
		}
	}
	return b.String()
}

// lines counts the lines of the Go files below dir.
func lines(dir string) (int, error) {
	n := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == "testdata" {
			return filepath.SkipDir
		}
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		n += bytes.Count(text, []byte("\n"))
		return err
	})
	return n, err
}

var position = regexp.MustCompile(`:[0-9]+:[0-9]+: `)

// messages returns the output of go build and go vet, without positions, which fixes
// move.
func (c checkout) messages(ctx context.Context) []string {
	var all []string
	for _, verb := range []string{"build", "vet"} {
		cmd := c.Command(ctx, "go", verb, c.pattern)
		cmd.Stderr = nil
		out, _ := cmd.CombinedOutput() // an error is no failure: its messages are compared
		for text := range strings.Lines(string(out)) {
			if text = strings.TrimSpace(text); !strings.HasPrefix(text, "go: downloading") {
				all = append(all, position.ReplaceAllString(text, ": "))
			}
		}
	}
	return all
}

// test runs the tests of packages and returns, by package and name, which passed.
func (c checkout) test(ctx context.Context, packages []string) map[string]bool {
	if len(packages) == 0 {
		return nil
	}
	return vetting.Test(ctx, c.In, packages...)
}

// stable runs tests twice and returns those that pass both times, and the others.
func stable(ctx context.Context, c checkout, packages []string) (passed map[string]bool, unstable []string) {
	first, second := c.test(ctx, packages), c.test(ctx, packages)
	passed = map[string]bool{}
	for name, ok := range first {
		if ok && second[name] {
			passed[name] = true
		} else {
			unstable = append(unstable, name)
		}
	}
	slices.Sort(unstable)
	return passed, unstable
}
