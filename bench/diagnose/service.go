package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The shape of the generated program, that of a large service: 420 files in 60
// packages, 4,200 functions. A function is called from three others, one to
// six packages further up.
const (
	packages  = 60
	files     = 7  // of a package
	functions = 10 // of a file
	callers   = 3
)

const modulePath = "example.com/service"

// service is the program while it is made.
type service struct {
	dir       string
	rng       *rand.Rand
	functions []*function
	texts     map[string]string // by file
}

// function is one that allocates in a line and calls others.
type function struct {
	pkg, file, number int
	fault             fault
	calls             []*function
	line              int64  // that allocates
	from              []call // who calls it
}

// call is a line of a function that calls another; without the function, of main.
type call struct {
	from *function
	line int64
}

func newService(dir string) *service {
	s := &service{dir: dir, rng: rand.New(rand.NewPCG(1, 2)), texts: map[string]string{
		"go.mod": "module " + modulePath + "\n\ngo 1.24\n",
		"request/request.go": `// Package request is what all functions work on.
package request

type Item struct {
	Name  string
	Count int
}

type Request struct {
	Key, Name string
	Body      []byte
	Items     []Item
	Seen      map[string]int
	Any       any
	Then      func() int
	Found     *Item
}
`}}
	for i := range packages * files * functions {
		f := &function{pkg: i / (files * functions), file: i / functions % files, number: i % (files * functions), fault: faults[s.rng.IntN(len(faults))]}
		s.functions = append(s.functions, f)
		for range callers {
			if up := f.pkg - 1 - s.rng.IntN(6); up >= 0 {
				from := s.functions[(up*files)*functions+s.rng.IntN(files*functions)]
				from.calls = append(from.calls, f)
			}
		}
	}
	for i := 0; i < len(s.functions); i += functions {
		s.writeFile(s.functions[i : i+functions])
	}
	s.writeMain()
	return s
}

// write writes the source.
func (s *service) write() error {
	for name, text := range s.texts {
		name = filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// text is a file that knows the number of its next line.
type text struct {
	strings.Builder
	next int64
}

func newText() *text { return &text{next: 1} }

func (t *text) add(lines string) {
	t.WriteString(lines + "\n")
	t.next += int64(strings.Count(lines, "\n")) + 1
}

func (s *service) writeFile(all []*function) {
	t, imports := newText(), map[string]bool{modulePath + "/request": true}
	for _, f := range all {
		if f.fault.imports != "" {
			imports[f.fault.imports] = true
		}
		for _, to := range f.calls {
			imports[modulePath+"/"+to.layer()] = true
		}
	}
	t.add("package " + all[0].layer() + "\n\nimport (")
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		t.add(fmt.Sprintf("\t%q", path))
	}
	t.add(")\n")
	if all[0].file == 0 {
		t.add("type Handler struct{}\n")
	}
	for _, f := range all {
		f.write(t)
	}
	s.texts[all[0].path()] = t.String()
}

func (f *function) write(t *text) {
	if f.method() {
		t.add(fmt.Sprintf("func (h *Handler) Do%d(r *request.Request) int {\n\tn := len(r.Key)", f.number))
	} else {
		t.add(fmt.Sprintf("func F%d(r *request.Request) int {\n\tn := len(r.Key)", f.number))
	}
	for line := range strings.SplitSeq(f.fault.body, "\n") {
		if strings.HasSuffix(line, mark) {
			f.line = t.next
		}
		t.add("\t" + line)
	}
	for _, to := range f.calls {
		to.from = append(to.from, call{f, t.next})
		t.add("\tn += " + to.expression())
	}
	t.add("\treturn n\n}\n")
}

// writeMain writes the main function, which calls whatever has no other caller.
func (s *service) writeMain() {
	t := newText()
	t.add("package main\n\nimport (")
	imports := map[string]bool{modulePath + "/request": true}
	for _, f := range s.functions {
		if len(f.from) == 0 {
			imports[modulePath+"/"+f.layer()] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		t.add(fmt.Sprintf("\t%q", path))
	}
	t.add(")\n\nfunc main() {\n\tr, n := new(request.Request), 0")
	for _, f := range s.functions {
		if len(f.from) == 0 {
			f.from = append(f.from, call{line: t.next})
			t.add("\tn += " + f.expression())
		}
	}
	t.add("\tprintln(n)\n}")
	s.texts["main.go"] = t.String()
}

func (f *function) layer() string { return fmt.Sprintf("layer%02d", f.pkg) }
func (f *function) path() string  { return fmt.Sprintf("%s/file%d.go", f.layer(), f.file) }
func (f *function) method() bool  { return f.number%3 == 0 }

// expression calls the function.
func (f *function) expression() string {
	if f.method() {
		return fmt.Sprintf("new(%s.Handler).Do%d(r)", f.layer(), f.number)
	}
	return fmt.Sprintf("%s.F%d(r)", f.layer(), f.number)
}

// symbol is the function's name in profiles.
func (f *function) symbol() string {
	if f.method() {
		return fmt.Sprintf("%s/%s.(*Handler).Do%d", modulePath, f.layer(), f.number)
	}
	return fmt.Sprintf("%s/%s.F%d", modulePath, f.layer(), f.number)
}
