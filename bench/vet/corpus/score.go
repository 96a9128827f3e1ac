package main

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// corpora are folders of testdata. What is first of each is the first run on it, before
// anybody had mended anything by its programs.
var corpora = []struct{ folder, title, first string }{
	{"corpus", "The first corpus", first},
	{"corpus2", "The second corpus", second},
	{"corpus3", "The third corpus", third},
	{"corpus4", "The fourth corpus", fourth},
	{"corpus5", "The fifth corpus", fifth},
}

var (
	//go:embed first.md
	first string
	//go:embed second.md
	second string
	//go:embed third.md
	third string
	//go:embed fourth.md
	fourth string
	//go:embed fifth.md
	fifth string
)

const about = "The [first](../../bench/vet/testdata/corpus/README.md), the\n" +
	"[second](../../bench/vet/testdata/corpus2/README.md), the [third](../../bench/vet/testdata/corpus3/README.md),\n" +
	"the [fourth](../../bench/vet/testdata/corpus4/README.md) and the [fifth](../../bench/vet/testdata/corpus5/README.md)\n" +
	"corpus were written by people who did not know the checks. A misuse counts as found if a check reports a line that\n" +
	"its author marked. In a correct program each report is false.\n\n"

// A misuse is a program of the corpus; correct ones have no kind.
type misuse struct {
	name, kind string
	reported   string          // the public bug report that the program is made from: owner/repository#number
	lines      map[string]bool // the lines at which a report is right
	what       string
	found      bool
	reports    []string // elsewhere
}

var (
	wrong = regexp.MustCompile(`// WRONG ([a-z-]+): (.*)`)
	after = regexp.MustCompile(`^// After ([\w.-]+/[\w.-]+#\d+): `)
)

// read notes the marks of a file.
func (c *misuse) read(file, text string) {
	if c.lines == nil {
		c.lines = map[string]bool{}
	}
	for i, line := range strings.Split(text, "\n") {
		if m := after.FindStringSubmatch(line); m != nil {
			c.reported = m[1]
		}
		m := wrong.FindStringSubmatch(line)
		if m != nil {
			c.kind, c.what = m[1], fmt.Sprintf("%s:%d: %s", file, i+1, m[2])
		}
		if m != nil || strings.HasSuffix(strings.TrimSpace(line), "// ALSO") {
			c.lines[fmt.Sprintf("%s:%d", file, i+1)] = true
		}
	}
}

func (c *misuse) report(at, message string) {
	if c.lines[at] {
		c.found = true
	} else {
		c.reports = append(c.reports, at+": "+message)
	}
}

// write prints the figures of each kind.
func (s *settings) write(cases map[string]*misuse) {
	type score struct{ found, all int }
	kinds := map[string]*score{}
	correct, reported := 0, 0
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		if c.kind == "" {
			correct++
			if len(c.reports) > 0 {
				reported++
			}
			if s.list {
				for _, r := range c.reports {
					fmt.Println("false:", r)
				}
			}
			continue
		}
		if kinds[c.kind] == nil {
			kinds[c.kind] = &score{}
		}
		kinds[c.kind].all++
		if c.found {
			kinds[c.kind].found++
		} else if s.list {
			fmt.Printf("missed: %s %s\n", c.kind, c.what)
			for _, r := range c.reports {
				fmt.Println("\treported:", r)
			}
		}
	}
	fmt.Println("| kind | misuses | found |\n| --- | ---: | ---: |")
	all := score{}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		n := kinds[k]
		all.found, all.all = all.found+n.found, all.all+n.all
		fmt.Printf("| `%s` | %d | %d (%d%%) |\n", k, n.all, n.found, 100*n.found/n.all)
	}
	fmt.Printf("| all | %d | %d (%.1f%%) |\n\n", all.all, all.found, 100*float64(all.found)/float64(all.all))
	fmt.Printf("Of %d correct programs, %d are reported.\n", correct, reported)
}
