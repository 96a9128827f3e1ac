package main

import (
	"regexp"
	"strings"
)

type verdict string

const (
	right  verdict = "right"
	partly verdict = "partly"
	wrong  verdict = "wrong"
)

const noMatch = "no finding of the first three has two of place, cause and remedy"

// answer is a judged answer.
type answer struct {
	Verdict verdict
	why     string
	Lines   []string // lines of the first findings
}

var (
	// numbered begins a finding, and section what follows the findings.
	numbered = regexp.MustCompile(`^ {0,2}\d+\. `)
	section  = regexp.MustCompile(`^[A-Z][A-Z ]+$`)

	// leak is what the head of a finding says of a leak.
	leak = regexp.MustCompile(`(?i)leak|unbounded|without (a )?(bound|end|limit)|grows|growing|pile|accumulat|never (end|return|close|released|freed)`)
	// presized is advice on the first size of a container, which is no leak.
	presized = regexp.MustCompile(`(?i)from nothing|without room|grows? (step by step|by doubling)|capacity`)
)

// finding is one finding of an answer. A word of the program's own source, or of its
// folders, is no cause and no remedy.
type finding struct {
	whole  string // has the places too
	prose  string // without places, source, paths and examples
	cause  string // prose and the path of calls
	head   string
	quoted []string // the first lines
}

// field is the name of a part of a finding, which goes on until the next part.
var field = regexp.MustCompile(`^([a-z]+) {2,}`)

// place is a line that names a place in the source.
var place = regexp.MustCompile(`^\S+\.(go|s):\d+( in \S+)?$`)

// parse sorts the lines of a finding.
func parse(lines []string) finding {
	f := finding{whole: strings.Join(lines, " "), head: lines[0], quoted: headOf(lines, 3)}
	part := ""
	for _, line := range lines {
		switch m := field.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "│"), place.MatchString(line):
			continue
		case m != nil:
			part = m[1]
		}
		switch part {
		case "example", "escapes", "library", "risk":
			continue
		case "path":
			f.cause += line + " "
			continue
		}
		f.cause += line + " "
		f.prose += line + " "
	}
	return f
}

// findings returns the text of each finding of a diagnosis, in its order.
func findings(text string) [][]string {
	var all [][]string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case numbered.MatchString(line):
			all = append(all, nil)
			open = true
		case section.MatchString(line):
			open = false
		}
		if open && strings.TrimSpace(line) != "" {
			all[len(all)-1] = append(all[len(all)-1], strings.TrimSpace(line))
		}
	}
	return all
}

// judge compares an answer with the truth. A trace answers with its first lines instead of
// findings.
func (t *truth) judge(text string) answer {
	all := findings(text)
	if t.How == "trace" {
		all = [][]string{headOf(strings.Split(strings.TrimSpace(text), "\n"), 25)}
	}
	if t.Clean {
		return judgeClean(all)
	}
	var a answer
	most, misled := -1, ""
	for _, lines := range headOf(all, 3) {
		f := parse(lines)
		a.Lines = append(a.Lines, f.quoted...)
		has := 0
		var lacks []string
		for _, part := range []struct {
			name  string
			found bool
		}{{"place", t.at(f.whole)}, {"cause", t.Right.Cause.in(f.cause)}, {"remedy", t.Right.Remedy.in(f.prose)}} {
			if part.found {
				has++
			} else {
				lacks = append(lacks, part.name)
			}
		}
		if has > most {
			most, a.why = has, strings.Join(lacks, " and ")
		}
		if t.Wrong.Text.in(f.prose) && misled == "" {
			misled = t.Wrong.Text.FindString(f.prose)
		}
	}
	switch {
	case most == 3 && misled == "":
		a.Verdict, a.why = right, ""
	case most == 3:
		a.Verdict, a.why = partly, "misleading: "+misled
	case most == 2:
		a.Verdict, a.why = partly, "without the "+a.why
	case len(all) == 0:
		a.Verdict, a.why = wrong, "no findings"
	default:
		a.Verdict, a.why = wrong, noMatch
	}
	return a
}

// at reports whether a finding names one of the right places.
func (t *truth) at(finding string) bool {
	for _, p := range t.place {
		if p.MatchString(finding) {
			return true
		}
	}
	return false
}

// judgeClean looks for a leak in the heads of all findings.
func judgeClean(all [][]string) answer {
	a := answer{Verdict: right}
	for _, f := range all {
		head := f[0]
		if leak.MatchString(head) && !presized.MatchString(head) {
			a.Verdict, a.why = wrong, head
			a.Lines = append(a.Lines, headOf(f, 3)...)
		}
	}
	return a
}

func headOf[T any](s []T, n int) []T { return s[:min(n, len(s))] }
