package rules

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// scene is a small program and its profiles. The profiles are made up; the source
// is read and compiled as always.
type scene struct {
	t      *testing.T
	text   string // of main.go of module ex.com/x; "": no source is at hand
	lines  string // the text that frames are looked up in
	heaps  []*profiletest.Profile
	cpu    *profiletest.Profile
	waits  []*profiletest.Profile // goroutine profiles
	ended  bool
	notes  []string
	small  []finding.Finding
	source *source.Index

	late     bool // no time is left to follow objects
	runtime  evidence.Runtime
	language string // of go.mod
	tests    string // of main_test.go
}

func newScene(t *testing.T, text string) *scene {
	t.Parallel()
	return &scene{t: t, text: text, lines: text, heaps: []*profiletest.Profile{profiletest.NewHeap(0)}, cpu: profiletest.NewCPU().CPU(40, profiletest.Worker)}
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

// churn adds a line's allocations, which a function of the runtime or of a library
// makes and which are all garbage: 30 of 100 samples of CPU time. The function is
// of the standard library unless its file says otherwise.
func (s *scene) churn(through, frame string) *scene {
	below := ""
	switch {
	case strings.Contains(through, "@"):
		below = through + " "
	case through != "":
		below = through + "@/go/src/x.go:1 "
	}
	s.cpu.CPU(30, profiletest.Malloc+below+frame+start).CPU(30, frame+start)
	if owner.OfRuntime(through) {
		below = "" // heap profiles leave these out
	}
	s.heaps[len(s.heaps)-1].Heap(1e6, 0, below+frame+start)
	return s
}

// standIns are modules that programs depend on which name them: the files that it takes to
// compile such programs.
var standIns = map[string]map[string]string{
	"google.golang.org/protobuf": {
		"proto/proto.go":               "package proto\n\nfunc Unmarshal(data []byte, m any) error { return nil }\n",
		"encoding/protojson/decode.go": "package protojson\n\nfunc Unmarshal(data []byte, m any) error { return nil }\n",
	},
	"github.com/hashicorp/golang-lru": {"lru.go": "package lru\n\ntype Cache struct{}\n\nfunc (*Cache) Add(k string, v []byte) {}\n"},
	"ex.com/lock": {"lock.go": "package lock\n\ntype Mutex struct{ n int }\n\nfunc (*Mutex) Lock() {}\n\nfunc Note(name string) {}\n\n" +
		"type Watch struct{ n int }\n\nfunc Open() *Watch { return new(Watch) }\n\nfunc (*Watch) Close() error { return nil }\n\n" +
		"type Doc struct{ text string }\n\nfunc Parse(b []byte) Doc { return Doc{string(b)} }\n\nfunc (d Doc) Get(key string) string { return d.text[1:] }\n\n" +
		"type Cache struct{ m map[string]int }\n\nfunc (*Cache) Set(key string, v any) {}\n\nfunc (*Cache) Delete(key string) {}\n\n" +
		"type Bus interface{ Subscribe(topic string, fn any) error }\n\nfunc NewBus() Bus { return nil }\n\n" +
		"type Notes struct{ all []string }\n\nfunc (*Notes) Note(name string) {}\n\nfunc (*Notes) Forget(name string) {}\n"},
}

// find returns the findings of all rules.
func (s *scene) find() []finding.Finding {
	s.t.Helper()
	all := evidence.NewProfiles(0)
	all.Ended = s.ended
	for i, p := range slices.Concat(s.heaps, []*profiletest.Profile{s.cpu}, s.waits) {
		if len(p.Sample) == 0 {
			continue
		}
		if err := all.AddFile(p.File(s.t, fmt.Sprintf("profile-%d", i))); err != nil {
			s.t.Fatal(err)
		}
	}
	if s.text != "" {
		dir := s.t.TempDir()
		files := map[string]string{"go.mod": "module ex.com/x\n\ngo " + cmp.Or(s.language, "1.24") + "\n", "main.go": s.text}
		if s.tests != "" {
			files["main_test.go"] = s.tests
		}
		for module, of := range standIns {
			if strings.Contains(s.text, module) {
				dir := path.Base(module)
				files["go.mod"] += fmt.Sprintf("\nrequire %s v1.36.12\nreplace %[1]s => ./%s\n", module, dir)
				files[dir+"/go.mod"] = "module " + module + "\n\ngo 1.24\n"
				for name, text := range of {
					files[dir+"/"+name] = text
				}
			}
		}
		for name, text := range files {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				s.t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				s.t.Fatal(err)
			}
		}
		x, err := source.Open(s.t.Context(), source.Options{Dir: dir})
		if err != nil {
			s.t.Fatal(err)
		}
		s.source = x
	}
	e, err := evidence.New(s.t.Context(), all, s.source, s.runtime)
	if err != nil {
		s.t.Fatal(err)
	}
	if s.late {
		e.Flow.Bound(time.Unix(1, 0))
	}
	for _, note := range e.Notes {
		if s.source != nil && !strings.Contains(note, "restarted") && !strings.Contains(note, "no source for /home/gopher/go/pkg/mod/") {
			s.t.Error(note)
		}
	}
	var findings []finding.Finding
	findings, s.notes = Find(e)
	s.small = Small(e, findings)
	return findings
}

// wants fails unless the first finding, or that of the whole program, is of the
// rule at the line of a text, and complete; it returns it.
func (s *scene) wants(rule, text string) finding.Finding {
	s.t.Helper()
	findings := s.find()
	line := 0
	if text != "" {
		line = 1 + strings.Count(s.lines[:strings.Index(s.lines, text)], "\n")
	}
	i := slices.IndexFunc(findings, func(f finding.Finding) bool { return (f.Line == 0) == (line == 0) })
	if i < 0 || findings[i].Rule != rule || findings[i].Line != line {
		for _, f := range findings {
			s.t.Log(describe(f))
		}
		s.t.Fatalf("want %s at line %d", rule, line)
	}
	f := findings[i]
	if f.Title == "" || f.Remedy == "" || f.Example == "" && f.Patch == "" || f.Risk == "" || f.Confidence == "" || len(f.Evidence) == 0 ||
		f.Ceiling() <= 0 && f.Share == 0 || f.CPU.Low > f.CPU.High || f.Memory.Low > f.Memory.High || line > 0 && s.text != "" && f.Source == "" {
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

// built reads files and builds evidence without source.
func built(t *testing.T, rt evidence.Runtime, files ...string) *evidence.Evidence {
	t.Helper()
	all := evidence.NewProfiles(0)
	for _, f := range files {
		if err := all.AddFile(f); err != nil {
			t.Fatal(err)
		}
	}
	e, err := evidence.New(t.Context(), all, nil, rt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
