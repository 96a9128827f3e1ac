package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/internal/tune"
)

// mode is the mode that is advised, "" for none.
func mode(a *tune.Document) string {
	if a.Advice == nil {
		return ""
	}
	return a.Advice.Mode
}

// knownProgram is a program whose best answer is known.
type knownProgram struct {
	name  string
	flags []string
	best  string // the answer in words
	// right returns why an answer is not right, "" if it is.
	right func(*tune.Document) string
}

var paced = regexp.MustCompile(`\b(floor|GOGC)=`)

var programs = []knownProgram{
	{"smallheap", nil, "a heap floor or a larger GOGC", func(a *tune.Document) string {
		if !paced.MatchString(mode(a)) {
			return fmt.Sprintf("it advises %q", mode(a))
		}
		return ""
	}},
	{"hotloop", nil, "the allocating line first", func(a *tune.Document) string {
		return begins(a, "First change ", "hotloop_test.go")
	}},
	{"nothing", nil, "nothing to gain, nothing tried", func(a *tune.Document) string {
		switch {
		case !strings.HasPrefix(a.Answer, "There is little to gain"):
			return "it does not say so"
		case len(a.Tried) > 0:
			return "it went on"
		}
		return ""
	}},
	{"nearlimit", []string{"-max-rss", "140MiB"}, "no floor; the line that keeps too much", func(a *tune.Document) string {
		if paced.MatchString(mode(a)) {
			return "it advises " + mode(a)
		}
		line := marked("nearlimit")
		for _, f := range a.Diagnosis.Findings {
			if f.Rule == "retention" && f.Line == line {
				return begins(a, "First change ", "nearlimit_test.go")
			}
		}
		return "it does not find the line"
	}},
	{"owncode", nil, "CPU is the program's own", func(a *tune.Document) string {
		if !strings.Contains(a.Answer, "of CPU is the program's own work") || !strings.Contains(a.Answer, "owncode.distance") {
			return "it does not say so"
		}
		if mode(a) != "" && paced.MatchString(mode(a)) {
			return "it advises " + mode(a)
		}
		return ""
	}},
}

// begins says whether an answer begins with the line marked as the best one.
func begins(a *tune.Document, words, file string) string {
	name := strings.TrimSuffix(file, "_test.go")
	at := fmt.Sprintf("%s:%d ", file, marked(name))
	if first, _, _ := strings.Cut(a.Answer, "): "); !strings.HasPrefix(first, words) || !strings.Contains(first, at) {
		return "it does not begin with " + strings.TrimSpace(at)
	}
	return ""
}

// marked returns the line of a program that says "best answer", 0 for none.
func marked(name string) int {
	data, err := os.ReadFile(filepath.Join("tune", "programs", name, name+"_test.go"))
	if err != nil {
		return 0
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; strings.Contains(line, "// best answer") {
			return n
		}
	}
	return 0
}
