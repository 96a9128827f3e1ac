package main

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// corpora are folders of testdata, with the first run on each, before anybody had mended anything by
// its programs.
var corpora = []struct{ folder, ordinal, first string }{
	{"corpus", "first", first},
	{"corpus2", "second", second},
	{"corpus3", "third", third},
	{"corpus4", "fourth", fourth},
	{"corpus5", "fifth", fifth},
	{"corpus6", "sixth", sixth},
	{"corpus7", "seventh", seventh},
	{"corpus8", "eighth", eighth},
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
	//go:embed sixth.md
	sixth string
	//go:embed seventh.md
	seventh string
	//go:embed eighth.md
	eighth string
)

// about is the introduction of the page.
func about() string {
	var b strings.Builder
	b.WriteString("People who did not know the checks wrote these corpora:\n\n")
	for _, c := range corpora {
		fmt.Fprintf(&b, "- [the %s](../../bench/vet/testdata/%s/README.md)\n", c.ordinal, c.folder)
	}
	b.WriteString("\nA misuse counts as found if a check reports a line that its author marked. In a correct program each\n" +
		"report is false.\n\n")
	return b.String()
}

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
