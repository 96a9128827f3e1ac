package guard

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/patch"
)

// Check returns the places where a diff breaks a rule, none of the allowed ones among
// them. The diff is relative to root, the folder of the module. The error is the
// context's, or about the original, which cannot be read or type-checked.
func Check(ctx context.Context, root, diff string, allowed []string) ([]Refusal, error) {
	p := &proposal{root: root, allowed: allowed, before: map[string][]byte{}}
	p.apply(diff)
	if len(p.refusals) > 0 { // a diff that does not apply has no result to parse
		return p.refusals, nil
	}
	if err := p.parse(); err != nil || len(p.refusals) > 0 {
		return p.refusals, err
	}
	err := p.typeCheck(ctx)
	return p.refusals, err
}

// proposal is a diff while it is judged.
type proposal struct {
	root    string
	allowed []string

	before, after map[string][]byte // texts by absolute name
	files         []file
	refusals      []Refusal
}

// refuse notes a reason once.
func (p *proposal) refuse(rule, where, what string) {
	r := Refusal{rule, where, what}
	if !slices.Contains(p.allowed, rule) && !slices.Contains(p.refusals, r) {
		p.refusals = append(p.refusals, r)
	}
}

// below returns a file's name relative to the root, with slashes.
func (p *proposal) below(name string) string {
	rel, err := filepath.Rel(p.root, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// apply finds the changed files and judges them by their names.
func (p *proposal) apply(diff string) {
	parsed, err := patch.Parse([]byte(diff))
	switch {
	case errors.Is(err, patch.ErrOutside):
		p.refuse("outside", "", err.Error())
		return
	case err != nil:
		p.refuse("diff", "", err.Error())
		return
	}
	for name, what := range parsed.Unusual() {
		rule := "file"
		switch what {
		case patch.MakesFile:
			continue // the name and the text of the file are judged like others
		case patch.MakesLink:
			rule = "symlink"
		}
		p.refuse(rule, strings.TrimPrefix(name, "b/"), "the diff "+what)
	}
	read := func(name string) ([]byte, error) {
		if p.behindLink(name) {
			return nil, errLink
		}
		return patch.Read(name)
	}
	p.after, err = parsed.Apply(read, p.root)
	switch {
	case errors.Is(err, errLink):
		p.refuse("symlink", "", err.Error())
		return
	case err != nil:
		p.refuse("diff", "", err.Error())
		return
	}
	for name := range p.after {
		p.judgeName(p.below(name))
		p.before[name], err = read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			p.refuse("diff", p.below(name), err.Error())
		}
	}
	slices.SortFunc(p.refusals, func(a, b Refusal) int { return strings.Compare(a.String(), b.String()) })
}

var errLink = errors.New("a symbolic link is on the way to it")

// behindLink reports whether the name, or a folder of it below the root, is a symbolic
// link.
func (p *proposal) behindLink(name string) bool {
	at := p.root
	for part := range strings.SplitSeq(p.below(name), "/") {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return true
		}
	}
	return false
}

// moduleFiles determine the versions that a build takes.
var moduleFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt"}

func (p *proposal) judgeName(name string) {
	parts := strings.Split(name, "/")
	base := parts[len(parts)-1]
	switch {
	case slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") }):
		p.refuse("file", name, "it is hidden")
	case slices.Contains(moduleFiles, base), slices.Contains(parts, "vendor"):
		p.refuse("module", name, "it determines what is built")
	case slices.Contains(parts, "testdata"), strings.HasSuffix(base, "_test.go"):
		p.refuse("test", name, "tests judge the proposal, so it cannot change them")
	case filepath.Ext(base) != ".go":
		p.refuse("not-go", name, "it is not Go")
	}
}
