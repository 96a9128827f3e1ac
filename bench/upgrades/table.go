package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/sample"
)

//go:embed about.txt
var about string

// table has the rows of the page.
type table struct {
	mended, same           strings.Builder
	proposed, later, quiet int // right answers: first, with later ones, and where nothing changed
	mendedN, sameN         int
	marks                  map[string]page.Mark
}

// add adds the row of a program. mended is its answer after a mend, or nil.
func (t *table) add(u *user, first, mended *answer) {
	last := first
	if mended != nil {
		last = mended
	}
	t.marks[u.name] = last.mark
	is := verdict(u.right(first))
	if mended != nil {
		is += " at first, later " + verdict(u.right(mended))
	}
	if u.release == "none" {
		t.sameN++
		if u.right(last) {
			t.quiet++
		}
		library := u.module + " " + u.from
		t.same.WriteString(page.Row(u.name, library, u.why, last.asked(), said(last, u), is))
	} else {
		t.mendedN++
		if u.right(first) {
			t.proposed++
		}
		if u.right(last) {
			t.later++
		}
		t.mended.WriteString(page.Row(u.name, u.module+" "+u.from, u.release+": "+u.why, said(last, u), is))
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n    %s\n", u.name, verdict(u.right(last)), last.Answer)
}

func (t *table) page() string {
	after := ""
	if t.later != t.proposed {
		after = fmt.Sprintf(", and later for %d", t.later)
	}
	sum := fmt.Sprintf("**The upgrade is proposed for %d of %d%s. ", t.proposed, t.mendedN, after) +
		fmt.Sprintf("For %d of %d releases that changed nothing, none is.**\n", t.quiet, t.sameN)
	p := page.Page{File: "upgrades.md", Title: "Upgrades of dependencies", Marks: t.marks, About: about + sum}
	cut := page.Columns("program", "library", "known release", "tune says", "is")
	same := page.Columns("program", "library", "newest release", "compared", "tune says", "is")
	p.Sections = []page.Section{
		{Title: "Releases that cut allocations", Text: cut + t.mended.String()},
		{Title: "Releases that changed nothing in the path", Text: same + t.same.String()},
	}
	return p.String("upgrades")
}

func verdict(right bool) string {
	if right {
		return "right"
	}
	return "wrong"
}

// right says whether the upgrade is proposed that is known to help, or none where none
// does.
func (u *user) right(a *answer) bool { return (u.version(a) != "") == (u.release != "none") }

// version returns the version of the library that is proposed, or "".
func (u *user) version(a *answer) string {
	if a.Advice == nil {
		return ""
	}
	modes, err := mode.Parse(a.Advice.Mode)
	if err != nil {
		return ""
	}
	for _, d := range modes[0].Dependencies() {
		if d.Path == u.module {
			return d.Query
		}
	}
	return ""
}

// said returns the proposal with its gains, or the answer.
func said(a *answer, u *user) string {
	if u.version(a) == "" {
		text, _, _ := strings.Cut(a.Answer, "; continue with: ")
		return strings.ReplaceAll(strings.Join(append([]string{text}, a.Notes...), ". "), "|", `\|`)
	}
	text := "`" + a.Advice.Mode + "`"
	for _, g := range a.Advice.Gains {
		if name := map[string]string{sample.Primary: "CPU", "B/op": "bytes"}[g.Metric]; name != "" {
			text += ", " + name + " " + format.Change(g.Ratio) + " " + format.Interval(g.Low, g.High)
		}
	}
	return text
}

// asked says which versions were compared, with the decisions.
func (a *answer) asked() string {
	var all []string
	for _, t := range a.Tried {
		if _, dep, ok := strings.Cut(t.Mode, "dep="); ok {
			all = append(all, fmt.Sprintf("%s: %s", dep, t.Decision))
		}
	}
	if all == nil {
		return "no"
	}
	return strings.Join(all, "; ")
}
