package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// model is an experiment's folder as it is written, killed and taken up
// again, beside a model: the runs of whole blocks that were written.
type model struct {
	dir   string
	doc   *result.Document
	store *store
	whole []sample.Run // of finished blocks
	begun []sample.Run // of the block under way
}

var (
	testKeys  = []sample.Key{{Package: "example.org/p", Benchmark: "A"}, {Package: "example.org/p", Benchmark: "B/x"}}
	testModes = []string{"default", "default#control", "GOGC=400"}
)

func (m *model) open(t *rapid.T, goOn bool) {
	var err error
	if m.store, err = openStore(m.dir, m.doc.Machine, goOn); err != nil {
		t.Fatal(err)
	}
}

// measure adds one run to the block under way and finishes it when all are there.
func (m *model) measure(t *rapid.T) {
	n := len(m.begun)
	run := sample.Run{
		Key: testKeys[n%len(testKeys)], Mode: testModes[n/len(testKeys)], Block: m.doc.Blocks + 1, Iterations: 10,
		Values: map[string]float64{sample.Primary: rapid.Float64Range(1e-9, 10).Draw(t, "cpu")},
	}
	if err := m.store.add(run); err != nil {
		t.Fatal(err)
	}
	if m.begun = append(m.begun, run); len(m.begun) == len(testKeys)*len(testModes) {
		m.doc.Blocks++
		m.whole, m.begun = append(m.whole, m.begun...), nil
		if err := m.store.save(m.doc); err != nil {
			t.Fatal(err)
		}
	}
}

// kill ends the process at any moment, also within the write of a line, and
// continues from the files.
func (m *model) kill(t *rapid.T) {
	m.store.results.Close()
	file := filepath.Join(m.dir, ResultsFile)
	if torn := rapid.SampledFrom([]string{"", "Bench", "BenchmarkA 10 0.1 cpu-s", "# blo"}).Draw(t, "torn"); torn != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(torn)
		f.Close()
	}
	doc, runs, err := Resume(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m.whole, append([]sample.Run(nil), runs...)); d != "" {
		t.Fatalf("after %d blocks: %s", m.doc.Blocks, d)
	}
	m.doc, m.begun = doc, nil
	m.open(t, true)
}

func TestNothingMeasuredIsLost(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		m := &model{dir: dir, doc: &result.Document{Schema: result.Schema, Machine: result.Machine{OS: "linux", Arch: "amd64"}}}
		m.open(t, false)
		if err := m.store.save(m.doc); err != nil {
			t.Fatal(err)
		}
		t.Repeat(map[string]func(*rapid.T){"measure": m.measure, "kill": m.kill})
		m.store.results.Close()
	})
}

func TestResumeRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := Resume(dir); err == nil || !strings.Contains(err.Error(), "nothing to resume") {
		t.Errorf("an empty folder: %v", err)
	}
	doc := &result.Document{Schema: result.Schema}
	if err := result.Save(filepath.Join(dir, ReportFile), doc); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ResultsFile), []byte("# block 1\nmode: a\nBenchmarkX one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Resume(dir); err == nil || !strings.Contains(err.Error(), ResultsFile+":3: ") {
		t.Errorf("a damaged line: %v", err)
	}
	others := filepath.Join(t.TempDir(), "others")
	text := "# mine\n# no newline"
	if err := os.WriteFile(others, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, ResultsFile)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(others, file); err != nil {
		t.Skip(err)
	}
	if _, _, err := Resume(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a link: %v", err)
	}
	if left, _ := os.ReadFile(others); string(left) != text {
		t.Errorf("the link's file holds %q", left)
	}
}
