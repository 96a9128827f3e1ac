package diagnose

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/source"
)

// scene is a small program and what was profiled of it: profiles are made, the
// source is read and compiled as always.
type scene struct {
	t      *testing.T
	text   string // of main.go of module ex.com/x; "": no source is at hand
	lines  string // the text that frames are looked up in
	heaps  []*made
	cpu    *made
	waits  []*made // goroutine profiles
	notes  []string
	source *source.Index
}

func newScene(t *testing.T, text string) *scene {
	t.Parallel()
	return &scene{t: t, text: text, lines: text, heaps: []*made{madeHeap(0)}, cpu: madeCPU().cpu(40, worker)}
}

// without is a scene of the same program whose source is not at hand.
func (s *scene) without() *scene { s.text = ""; return s }

// frame is the line of main.go that a text stands in, in a function of main.
func (s *scene) frame(function, text string) string {
	s.t.Helper()
	before, _, ok := strings.Cut(s.lines, text)
	if !ok {
		s.t.Fatalf("no line has %q", text)
	}
	return fmt.Sprintf("main.%s@ex.com/x/main.go:%d ", function, strings.Count(before, "\n")+1)
}

const start = "main.main@ex.com/x/main.go:1 runtime.main@/go/src/runtime/proc.go:1"

// churn adds what a line allocates, through a function of the runtime or of a
// library and all of it garbage: 30 of 100 samples of CPU time. The function is of
// the standard library unless its file says otherwise.
func (s *scene) churn(through, frame string) *scene {
	below := ""
	switch {
	case strings.Contains(through, "@"):
		below = through + " "
	case through != "":
		below = through + "@/go/src/x.go:1 "
	}
	s.cpu.cpu(30, malloc+below+frame+start).cpu(30, frame+start)
	if ofRuntime(through) {
		below = "" // heap profiles leave these out
	}
	s.heaps[len(s.heaps)-1].heap(1e6, 0, below+frame+start)
	return s
}

// find returns what the rules find.
func (s *scene) find() []Finding {
	s.t.Helper()
	all := NewProfiles(0)
	for i, p := range slices.Concat(s.heaps, []*made{s.cpu}, s.waits) {
		if len(p.Sample) == 0 {
			continue
		}
		if err := all.AddFile(p.file(s.t, fmt.Sprintf("profile-%d", i))); err != nil {
			s.t.Fatal(err)
		}
	}
	if s.text != "" {
		dir := s.t.TempDir()
		for name, text := range map[string]string{"go.mod": "module ex.com/x\n\ngo 1.24\n", "main.go": s.text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				s.t.Fatal(err)
			}
		}
		x, err := source.Open(s.t.Context(), source.Options{Dir: dir})
		if err != nil {
			s.t.Fatal(err)
		}
		s.source = x
	}
	e, err := Gather(all, s.source, Runtime{})
	if err != nil {
		s.t.Fatal(err)
	}
	if s.source != nil {
		if err := s.source.Study(s.t.Context(), e.places()); err != nil {
			s.t.Fatal(err)
		}
		for _, note := range s.source.Notes() {
			s.t.Error(note)
		}
	}
	var findings []Finding
	findings, s.notes = e.Find()
	return findings
}

// wants fails unless the first finding, or that of the whole program, is of the
// rule at the line of a text, and complete; it returns it.
func (s *scene) wants(rule, text string) Finding {
	s.t.Helper()
	findings := s.find()
	line := 0
	if text != "" {
		line = 1 + strings.Count(s.lines[:strings.Index(s.lines, text)], "\n")
	}
	i := slices.IndexFunc(findings, func(f Finding) bool { return (f.Line == 0) == (line == 0) })
	if i < 0 || findings[i].Rule != rule || findings[i].Line != line {
		for _, f := range findings {
			s.t.Log(describe(f))
		}
		s.t.Fatalf("want %s at line %d", rule, line)
	}
	f := findings[i]
	if f.Title == "" || f.Remedy == "" || f.Example == "" || f.Risk == "" || f.Confidence == "" || len(f.Evidence) == 0 ||
		f.Ceiling() <= 0 && f.share == 0 || f.CPU.Low > f.CPU.High || f.Memory.Low > f.Memory.High || line > 0 && s.text != "" && f.Source == "" {
		s.t.Errorf("incomplete: %+v", f)
	}
	return f
}

// wantsNone fails if anything of the rule is found.
func (s *scene) wantsNone(rule string) {
	s.t.Helper()
	for _, f := range s.find() {
		if f.Rule == rule {
			s.t.Errorf("found %s", describe(f))
		}
	}
}

// has fails unless the text says it.
func has(t *testing.T, text, what string) {
	t.Helper()
	if !strings.Contains(text, what) {
		t.Errorf("%q does not say %q", text, what)
	}
}
