package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/tune"
)

// knownProgram is a program whose best answer is known.
type knownProgram struct {
	Best string   // the answer in words
	Args []string // further arguments of heapwright tune

	// The name of the advised mode must match Mode, and must not match Wrong. Advice
	// without a mode has the name "".
	Mode, Wrong string

	// The answer must match each of these, and begin with the marked line if First is set.
	Answer []string
	First  bool

	// A finding of this rule must name the marked line.
	Finding string

	// No mode may be tried.
	Untried bool

	name   string
	marked data.Mark
}

// readPrograms reads the programs in a folder in the order of its truth.toml.
func readPrograms(dir string) (all []*knownProgram, err error) {
	var truth map[string]*knownProgram
	names, err := toml.DecodeFile(filepath.Join(dir, "truth.toml"), &truth)
	if err != nil {
		return nil, err
	}
	if unknown := names.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("truth.toml: unknown key %v", unknown[0])
	}
	for _, key := range names.Keys() {
		if len(key) > 1 {
			continue
		}
		p := truth[key[0]]
		p.name = key[0]
		if p.First || p.Finding != "" {
			marked, err := data.Marked(filepath.Join(dir, p.name), regexp.MustCompile(`// best answer$`))
			if err != nil {
				return nil, err
			}
			p.marked = marked[0]
		}
		all = append(all, p)
	}
	return all, nil
}

// right returns why an answer is not right, "" if it is.
func (p *knownProgram) right(a *tune.Document) string {
	mode := ""
	if a.Advice != nil {
		mode = a.Advice.Mode
	}
	lacks := func(pattern string) bool { return !regexp.MustCompile(pattern).MatchString(a.Answer) }
	named := func(f rules.Finding) bool { return f.Rule == p.Finding && f.Line == p.marked.Line }
	switch {
	case slices.ContainsFunc(p.Answer, lacks):
		return "it does not say so"
	case !regexp.MustCompile(p.Mode).MatchString(mode), p.Wrong != "" && regexp.MustCompile(p.Wrong).MatchString(mode):
		return fmt.Sprintf("it advises %q", mode)
	case p.Untried && len(a.Tried) > 0:
		return "it went on"
	case p.Finding != "" && !slices.ContainsFunc(a.Diagnosis.Findings, named):
		return "it does not find the line"
	case p.First && !p.first(a.Answer):
		return fmt.Sprintf("it does not begin with %v", p.marked)
	}
	return ""
}

// first reports whether an answer begins with the marked line.
func (p *knownProgram) first(answer string) bool {
	first, _, _ := strings.Cut(answer, "): ")
	return strings.HasPrefix(first, "First change ") && strings.Contains(first, p.marked.String()+" ")
}
