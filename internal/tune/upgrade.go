package tune

import (
	"context"
	"fmt"
	"go/version"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/subprocess"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Upgrade is a newer version of a dependency that a finding is about.
type Upgrade struct {
	Module string   `json:"module"`
	From   string   `json:"from"`            // the version with which the target is built
	To     string   `json:"to"`              // the newest version, or the smaller one in Advice
	Moves  []string `json:"moves,omitempty"` // other modules that go get upgrades with it
	// Tests has the outcome of the main modules' tests with To; empty where To was not
	// better, and so was not tested.
	Tests string `json:"tests,omitempty"`

	finding int // number of the finding on the page, from 1
}

// maxUpgrades is the number of dependencies to try, because each takes as much of the
// budget as any other mode.
const maxUpgrades = 2

// maxTests is the time limit for the tests with a newer version.
const maxTests = 10 * time.Minute

// dependency returns the family of the versions of a module.
func dependency(module string) family { return family("the version of " + module) }

// mode returns the mode that builds with the newer version.
func (u Upgrade) mode() string { return mode.Dependency{Path: u.Module, Query: u.To}.Setting() }

// upgradesOf returns the newer versions of the dependencies that the first findings name.
func upgradesOf(d *diagnose.Document) []Upgrade {
	var all []Upgrade
	known := map[string]bool{}
	for i := range d.Findings {
		f := &d.Findings[i]
		if f.OfTest() {
			continue
		}
		for _, l := range blamed(f) {
			if known[l.Module] || len(all) == maxUpgrades || semver.Compare(l.Latest, l.Version) <= 0 {
				continue
			}
			known[l.Module] = true
			all = append(all, Upgrade{Module: l.Module, From: l.Version, To: l.Latest, finding: i + 1})
		}
	}
	return all
}

// blamed returns the lines of dependencies from which a finding and the others of its
// line hope to save CPU time: those that allocate, and the function that takes much of it.
func blamed(f *rules.Finding) (all []rules.LibraryLine) {
	if f.CPU.High >= worthChanging {
		all = append(all, f.Library...)
	}
	if f.Callee != nil {
		all = append(all, *f.Callee)
	}
	for i := range f.Others {
		all = append(all, blamed(&f.Others[i])...)
	}
	return all
}

// upgrades returns the newer versions as candidates. A version that cannot be used here
// becomes a note with the reason.
func (p Plan) upgrades(ctx context.Context, m *mode.Machine, doc *Document) (all []candidate) {
	for _, u := range upgradesOf(doc.Diagnosis) {
		var err error
		if u.Moves, err = p.moves(ctx, m, u.mode()); err != nil {
			note := fmt.Sprintf("%s %s was not tried: %s", u.Module, u.To, strings.ReplaceAll(err.Error(), "\n", "; "))
			// An older one may do as well, and its needs are smaller.
			u.To, u.Moves = p.usable(ctx, m, u)
			if u.To == "" {
				doc.Notes = append(doc.Notes, note)
				continue
			}
			doc.Notes = append(doc.Notes, note+"; "+u.To+" is the newest version that can be used")
		}
		doc.Upgrades = append(doc.Upgrades, u)
		why := fmt.Sprintf("finding %d is about code of %s %s, and %s is newer", u.finding, u.Module, u.From, u.To)
		if len(u.Moves) > 0 {
			why += "; go get also " + strings.Join(u.Moves, ", ")
		}
		all = append(all, candidate{
			mode: u.mode(), family: dependency(u.Module), why: why, smaller: p.smaller(ctx, m, u),
		})
	}
	return all
}

// moves returns the other modules that have to be upgraded with a mode's versions. It
// fails if go get cannot choose them, which would end a comparison, or if they need a
// newer Go, which is a decision of its own.
func (p Plan) moves(ctx context.Context, m *mode.Machine, name string) ([]string, error) {
	cell, remove, err := p.cell(ctx, m, name)
	if err != nil {
		return nil, err
	}
	remove()
	now, err := m.Toolchain(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, moved := range cell.Moved {
		if rest, ok := strings.CutPrefix(moved, "upgraded go "); ok && !sameGo(rest, now.Version) {
			return nil, fmt.Errorf("it needs a newer Go (%s in go.mod)", rest)
		}
	}
	return cell.Moved, nil
}

// sameGo reports whether a change of the go line, "1.26 => 1.26.0", keeps the language
// version, and the present toolchain is new enough for it. Then nothing but the line changes.
func sameGo(change, now string) bool {
	from, to, _ := strings.Cut(change, " => ")
	return version.Lang("go"+from) == version.Lang("go"+to) && !newer("go"+to, now)
}

// usable returns the newest version below an upgrade's that go get can choose without a
// newer Go, and the other modules that it moves. It returns "" if there is none.
func (p Plan) usable(ctx context.Context, m *mode.Machine, u Upgrade) (newest string, moves []string) {
	versions := released(p.versions(ctx, u.Module), u.From, u.To)
	// The needs of versions rise, so that the first that cannot be used ends the others.
	sort.Search(len(versions), func(i int) bool {
		moved, err := p.moves(ctx, m, Upgrade{Module: u.Module, To: versions[i]}.mode())
		if err == nil {
			newest, moves = versions[i], moved
		}
		return err != nil
	})
	return newest, moves
}

// versions returns the known versions of a module in rising order, or nil.
func (p Plan) versions(ctx context.Context, module string) []string {
	out, err := subprocess.Output(ctx, p.Dir,
		"go", "list", "-mod=readonly", "-m", "-versions", "-f", "{{join .Versions \" \"}}", module)
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}

// released returns the versions between from and to that are no prereleases.
func released(versions []string, from, to string) []string {
	return slices.DeleteFunc(versions, func(v string) bool {
		return semver.Compare(v, from) <= 0 || semver.Compare(v, to) >= 0 || semver.Prerelease(v) != ""
	})
}

// smaller returns modes with versions between the two of an upgrade, to find the smallest
// upgrade with the same gain.
func (p Plan) smaller(ctx context.Context, m *mode.Machine, u Upgrade) (modes []string) {
	for _, v := range between(p.versions(ctx, u.Module), u.From, u.To) {
		name := Upgrade{Module: u.Module, To: v}.mode()
		if _, err := p.moves(ctx, m, name); err == nil {
			modes = append(modes, name)
		}
	}
	return modes
}

// between returns at most two versions between from and to: the newest patch of the first
// minor version, and of the one in the middle. The given versions are in rising order.
func between(versions []string, from, to string) []string {
	var minors []string // the newest patch of each
	for _, v := range released(slices.Clone(versions), from, to) {
		if n := len(minors); n > 0 && semver.MajorMinor(minors[n-1]) == semver.MajorMinor(v) {
			minors[n-1] = v
		} else {
			minors = append(minors, v)
		}
	}
	if len(minors) < 3 {
		return minors
	}
	return []string{minors[0], minors[len(minors)/2]}
}

// byVersion compares modes that choose versions of the same module by these versions. It
// returns 0 for other modes.
func byVersion(a, b string) int {
	all := parsed(a).Dependencies()
	if len(all) != 1 {
		return 0
	}
	if other := versionIn(b, all[0].Path); other != "" {
		return semver.Compare(all[0].Query, other)
	}
	return 0
}

// cell returns the cell of a mode with the sources of its versions. The caller must call
// remove, which deletes its folder.
func (p Plan) cell(ctx context.Context, m *mode.Machine, name string) (c *target.Cell, remove func(), err error) {
	dir, err := result.Scratch()
	if err != nil {
		return nil, nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	c = &target.Cell{Mode: parsed(name), Dir: p.Dir, CacheDir: dir}
	if c.Config, err = c.Mode.Resolve(ctx, m); err == nil {
		err = c.Lay(ctx)
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	return c, remove, nil
}

// prove runs the tests with the versions in the chosen mode. If they fail, the modes with
// that version are rejected, and the best of the others is chosen.
func (p Plan) prove(ctx context.Context, doc *Document, chosen string) string {
	for i := range doc.Upgrades {
		u := &doc.Upgrades[i]
		version := versionIn(chosen, u.Module)
		if version == "" {
			continue
		}
		u.To = version
		failure := ""
		u.Tests, failure = p.test(ctx, u)
		for j := range doc.Tried {
			switch t := &doc.Tried[j]; {
			case versionIn(t.Mode, u.Module) == "":
			case failure != "":
				t.Decision, t.Reason = verdict.Reject, t.Reason+"; but the tests fail with it: "+failure
			case t.Mode == chosen:
				t.Reason += "; " + u.Tests
			}
		}
		if failure == "" {
			continue
		}
		return p.prove(ctx, doc, best(doc.Tried, nil, "", adopted))
	}
	return chosen
}

// versionIn returns the version of a module that a mode chooses, or "".
func versionIn(name, module string) string {
	for _, d := range parsed(name).Dependencies() {
		if d.Path == module {
			return d.Query
		}
	}
	return ""
}

// parsed returns the settings of a mode. It is only for modes that were tried, so that
// parsing the name cannot fail.
func parsed(name string) mode.Mode {
	modes, err := mode.Parse(name)
	if err != nil {
		return mode.Mode{Name: name}
	}
	return modes[0]
}

// test runs the tests of all packages that depend on the module, with the upgrade. If
// they also fail without it, their failure does not count.
func (p Plan) test(ctx context.Context, u *Upgrade) (outcome, failure string) {
	m := mode.NewMachine(p.Dir)
	with, remove, err := p.cell(ctx, m, u.mode())
	if err != nil {
		return "its tests were not run: " + err.Error(), ""
	}
	defer remove()
	u.Moves = with.Moved
	packages, err := with.TestsOf(ctx, u.Module)
	switch {
	case err != nil:
		return "its tests were not run: " + err.Error(), ""
	case len(packages) == 0:
		return "no test runs code of it", ""
	}
	bounded, cancel := context.WithTimeout(ctx, maxTests)
	defer cancel()
	output, err := with.Test(bounded, packages)
	switch {
	case err == nil:
		return "the tests of " + format.Plural(len(packages), "package") + " pass", ""
	case ctx.Err() != nil:
		return "its tests were interrupted", ""
	case bounded.Err() != nil:
		return fmt.Sprintf("its tests took longer than %v", maxTests), ""
	}
	failure = subprocess.FirstFailure(output + "\n" + err.Error())
	without, removeToo, err := p.cell(ctx, m, mode.Default)
	if err == nil {
		defer removeToo()
		_, err = without.Test(bounded, packages)
	}
	if err != nil && bounded.Err() == nil {
		return "its tests fail with the present version, too: " + failure, ""
	}
	return "its tests fail: " + failure, failure
}
