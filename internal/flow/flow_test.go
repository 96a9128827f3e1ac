package flow

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/source"
)

// programOf returns a program of one file, of the package ex.com/fates, and the
// file's name.
func programOf(t *testing.T, text string) (*Program, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module ex.com/fates\n\ngo 1.24\n\nrequire ex.com/lock v0.0.0\n\nreplace ex.com/lock => ./lock\n",
		"fates.go":     text,
		"lock/go.mod":  "module ex.com/lock\n\ngo 1.24\n",
		"lock/lock.go": "package lock\n\ntype Mutex struct{ held bool }\n\nfunc (m *Mutex) Lock() { m.held = true }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "fates.go")
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Study(t.Context(), []source.Place{{Function: "ex.com/fates.Store", File: file, Line: 1}}); err != nil {
		t.Fatal(err)
	}
	return New(x), file
}

// The functions of testdata/fates make something in the line that ends in
// "made", or in "made in ROOT" where the question is about another function. The
// text after that is a part of the reason that keeps it; "dies" is that none does.
func TestFates(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "fates", "fates.go"))
	if err != nil {
		t.Fatal(err)
	}
	p, file := programOf(t, string(text))
	lines := strings.Split(string(text), "\n")
	questions := 0
	for i, line := range lines {
		_, want, ok := strings.Cut(line, "// made")
		if !ok {
			continue
		}
		questions++
		made := source.Place{Function: "ex.com/fates.f", File: file, Line: i + 1}
		root := made
		if in, rest, ok := strings.Cut(want, ": "); ok {
			want = rest
			if name := strings.TrimPrefix(in, " in "); name != in {
				for n, l := range lines {
					if strings.HasPrefix(l, "func "+name+"(") {
						root.Line = n + 1
					}
				}
			}
		}
		f := p.Within(root, Made{Place: made, Methods: strings.Contains(line, ".WriteString(")})
		if want == "dies" != f.Dies || !f.Dies && !strings.Contains(f.Kept, want) {
			t.Errorf("line %d: %s\n\tdies %v, kept %q", i+1, strings.TrimSpace(line), f.Dies, f.Kept)
		}
		if f.Unknown != (!f.Dies && strings.Contains(f.Kept, "followed")) {
			t.Errorf("line %d: unknown %v, kept %q", i+1, f.Unknown, f.Kept)
		}
	}
	if questions < 30 {
		t.Errorf("%d questions", questions)
	}
}

// A dependency is not followed. It gets a part of the session, and only the number of the other.
func TestRecipients(t *testing.T) {
	t.Parallel()
	p, file := programOf(t, `package fates

import (
	"sync"

	"ex.com/lock"
)

type session struct {
	mu   lock.Mutex
	text []byte
}

var (
	all   = map[int]*session{}
	other sync.Mutex
)

func open(id int) {
	s := &session{text: make([]byte, 100)}
	lockOf(s)
	all[id] = s
}

func lockOf(s *session) { s.mu.Lock() }

func openOther(id int) {
	other.Lock()
	all[id] = &session{}
}
`)
	for line, want := range map[int]string{20: "ex.com/lock.(*Mutex).Lock:25", 29: ""} {
		made := source.Place{Function: "ex.com/fates.open", File: file, Line: line}
		got := ""
		for _, h := range p.Recipients(made, Made{Place: made}) {
			got += fmt.Sprintf("%s:%d", h.To, h.Line)
		}
		if got != want {
			t.Errorf("line %d: handed to %q, want %q", line, got, want)
		}
	}
}
