// Package truth holds the truth about public Go modules at a version, found by
// reading their code and their profiles by hand, before any finding was looked
// at. No code of these modules is in here.
package truth

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
)

// Module is a public module, the way to run it, and the truth about that run.
type Module struct {
	Name          string
	Path, Version string

	// Args are heapwright diagnose's arguments after -C and the module's folder.
	// {data} is the folder of Inputs.
	Args     []string
	inputs   map[string]string // inputs of our own, by name
	template string            // makes more of them
	// Compile are the packages whose tests, or whose command, the run compiles.
	Compile []string

	// Expect are the places that the first findings should name.
	Expect []Place
	// Wrong are findings that were judged and found wrong, with the reason.
	Wrong []Place
	// Unsafe are places where the objects outlive the call, so that an arena, a
	// pool or package unsafe would break the program; Safe are those where one of
	// them is right. Such advice anywhere else is still to be judged.
	Unsafe, Safe []Place
	// Advised are arenas and pools, made as findings advise: the tests pass with them.
	Advised []Change
	// Mode is the best mode, for people; "" is not known.
	Mode string
}

// Inputs are the files of our own that a run reads, by name. The module's archive has them,
// or a template in it, inputs.tmpl, which makes another archive of them.
func (m *Module) Inputs() map[string]string {
	files := maps.Clone(m.inputs)
	var made bytes.Buffer
	if err := template.Must(template.New(m.Name).Parse(m.template)).Execute(&made, nil); err != nil {
		panic(err) // it is compiled in
	}
	for _, f := range txtar.Parse(made.Bytes()).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// Place is a line or a range of lines, or with At "" the whole program.
type Place struct {
	At    string // FILE:LINE or FILE:FIRST-LAST; files are named as in the document
	Rules string // rules that may name it, separated by spaces; "" is any
	Why   string
}

// Holds reports whether a line is in the place.
func (p Place) Holds(file string, line int) bool {
	name, first, last, err := Range(p.At)
	return err == nil && name == file && first <= line && line <= last
}

// Allows reports whether a rule may name the place.
func (p Place) Allows(rule string) bool {
	return p.Rules == "" || slices.Contains(p.rules(), rule)
}

func (p Place) rules() []string { return strings.Fields(p.Rules) }

// Range reads FILE:LINE and FILE:FIRST-LAST. The whole program is no file and
// line 0.
func Range(at string) (file string, first, last int, err error) {
	if at == "" {
		return "", 0, 0, nil
	}
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return "", 0, 0, fmt.Errorf("%q: no FILE:LINE", at)
	}
	from, to, ok := strings.Cut(at[i+1:], "-")
	if first, err = strconv.Atoi(from); err != nil {
		return "", 0, 0, fmt.Errorf("%q: %w", at, err)
	}
	if last = first; ok {
		if last, err = strconv.Atoi(to); err != nil {
			return "", 0, 0, fmt.Errorf("%q: %w", at, err)
		}
	}
	if first < 1 || last < first {
		return "", 0, 0, fmt.Errorf("%q: no lines", at)
	}
	return at[:i], first, last, nil
}
