package result

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

var key = sample.Key{Package: "example.com/trees", Benchmark: "Tree/heap-2"}

func document() *Document {
	return &Document{
		Schema: Schema, Tool: "v0.1.0", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Baseline: "default", Modes: []Mode{{Name: "default"}, {Name: "GOGC=400"}},
		Benchmarks: []Benchmark{{Key: key, Iterations: 10}},
		Runs:       []sample.Run{{Key: key, Mode: "default", Block: 1, Iterations: 10, Values: map[string]float64{sample.Primary: 0.25}}},
		Effects: []verdict.Effect{{Key: key, Mode: "GOGC=400", Metric: sample.Primary, Blocks: 12,
			Ratio: 0.7, Low: 0.65, High: 0.75, P: 0.0005, Level: 0.01, Delta: 0.01, Verdict: verdict.Better}},
		Summaries: []verdict.Summary{{Mode: "GOGC=400", Decision: verdict.Adopt, Geomean: map[string]float64{sample.Primary: 0.7}}},
	}
}

func TestSaveLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	for range 2 { // the second replaces the first
		if err := Save(path, document()); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if want := document(); !reflect.DeepEqual(got, want) {
		t.Errorf("loaded\n%+v\nwant\n%+v", got, want)
	}
	if left, _ := filepath.Glob(path + ".*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestReplaceKeepsOldOnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := Replace(path, func(w io.Writer) error {
		w.Write(make([]byte, 1<<20))
		return full
	})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the file and the cause", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("old file is now %q", data)
	}
	if left, _ := filepath.Glob(path + ".*"); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// impossible is a document with a field.
func impossible(field string) string { return `{"schema": "heapwright.report/1", ` + field + `}` }

func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ name, data, want string }{
		{"empty", ``, "empty"},
		{"cut short", `{"schema": "heapwright.report/1", "too`, "damaged at byte"},
		{"wrong type", `{"schema": "heapwright.report/1", "seed": "x"}`, "damaged at byte"},
		{"newer", `{"schema": "heapwright.report/2", "seed": "x"}`, "newer than heapwright.report/1"},
		{"older", `{"schema": "heapwright.report/0", "tool": "v0.0.1"}`, `("v0.0.1")`},
		{"another's", `{"schema": "other/1"}`, "not a heapwright report"},
		{"no schema", `{}`, "not a heapwright report"},
		{"no version", `{"schema": "heapwright.report/x"}`, "not a heapwright report"},
		{"a list", `[]`, "damaged"},
		{"negative CPU", impossible(`"runs": [{"benchmark": "A", "mode": "x", "block": 2, "iterations": 1, "values": {"cpu-sec/op": -1}}]`), `runs[0], "A" in "x", block 2: cpu-sec/op is -1, which no run can have measured; compare again`},
		{"endless CPU", impossible(`"untimed": [{"iterations": 1, "values": {"cpu-sec/op": 1e308}}]`), "untimed[0]"},
		{"negative bytes", impossible(`"runs": [{"iterations": 1, "values": {"B/op": -5}}]`), "B/op is -5"},
		{"negative iterations", impossible(`"runs": [{"iterations": -1}]`), "-1 iterations"},
		{"endless iterations", impossible(`"benchmarks": [{"benchmark": "A", "iterations": 4611686018427387904}]`), `benchmarks[0], "A": 4611686018427387904 iterations`},
		{"negative block", impossible(`"runs": [{"block": -1, "iterations": 1}]`), "no block -1"},
		{"negative blocks", impossible(`"blocks": -3`), "blocks is -3"},
		{"endless blocks", impossible(`"seconds_per_block": 1e308`), "seconds_per_block is 1e+308"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "report.json")
			if err := os.WriteFile(path, []byte(tt.data), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(t.Context(), path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want one with the path and %q", err, tt.want)
			}
		})
	}
	if _, err := Load(t.Context(), filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestSaveWhatJSONCannotHold(t *testing.T) {
	doc := document()
	doc.Runs[0].Values["frobs/s"] = math.Inf(1)
	doc.Effects[0].Ratio, doc.Effects[0].High = math.Inf(1), math.Inf(1)
	doc.Effects = append(doc.Effects, verdict.Effect{Ratio: math.NaN(), Verdict: verdict.Better})
	doc.Summaries[0].Geomean["B/op"] = math.NaN()
	doc.Summaries[0].Geomean["allocs/op"] = math.Inf(1)

	var buf bytes.Buffer
	if err := encode(&buf, doc); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := got.Runs[0].Values["frobs/s"]; ok || len(got.Warnings) != 1 {
		t.Errorf("values %v, warnings %q", got.Runs[0].Values, got.Warnings)
	}
	if doc.Runs[0].Values["frobs/s"] != math.Inf(1) || doc.Warnings != nil {
		t.Error("the document itself was changed")
	}
	if e := got.Effects[0]; e.Ratio != Infinite || e.High != Infinite || e.Low != 0.65 || e.Verdict != verdict.Better {
		t.Errorf("infinite effect: %+v", e)
	}
	if e := got.Effects[1]; e.Verdict != verdict.Inconclusive || len(e.Warnings) != 1 {
		t.Errorf("effect that is not a number: %+v", e)
	}
	want := map[string]float64{sample.Primary: 0.7, "allocs/op": Infinite}
	if g := got.Summaries[0].Geomean; !reflect.DeepEqual(g, want) {
		t.Errorf("geomean %v, want %v", g, want)
	}
}

func TestCreateNeverTouchesWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			switch err := Create(path, write(strconv.Itoa(100+i))); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Fatalf("%d have created one file", won.Load())
	}
	before, err := os.ReadFile(path)
	if err != nil || len(before) != 3 {
		t.Fatalf("%q, %v", before, err)
	}
	if err := Create(path, write("new")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created again: %v", err)
	}
	full := errors.New("disk full")
	if err := Create(path+"2", func(io.Writer) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	after, err := os.ReadFile(path)
	entries, _ := os.ReadDir(filepath.Dir(path))
	if err != nil || !bytes.Equal(before, after) || len(entries) != 1 {
		t.Errorf("%q became %q, %v, in %v", before, after, err, entries)
	}
}

// Whatever Decode accepts can be saved and is then read as the same.
func FuzzDecode(f *testing.F) {
	var buf bytes.Buffer
	if err := encode(&buf, document()); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte(`{"schema":"heapwright.report/1","runs":[{"values":{"x":1e308}}]}`))
	f.Add([]byte(`{"schema":"heapwright.report/9"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := Decode(data)
		if err != nil {
			return
		}
		var saved, again bytes.Buffer
		if err := encode(&saved, first); err != nil {
			t.Fatalf("accepted but cannot be saved: %v", err)
		}
		second, err := Decode(saved.Bytes())
		if err != nil {
			t.Fatalf("saved but cannot be loaded: %v", err)
		}
		if err := encode(&again, second); err != nil || !bytes.Equal(saved.Bytes(), again.Bytes()) {
			t.Fatalf("changed on the way (%v):\n%s\n%s", err, &saved, &again)
		}
	})
}

// A link that somebody planted is replaced where it bears the name of the file, and
// otherwise not followed.
func TestReplaceFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{path, path + ".part"} {
		if err := os.Symlink(victim, link); err != nil {
			t.Skip(err)
		}
	}
	if err := Replace(path, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
		t.Errorf("the file that the links lead to holds %q, %v", text, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}

func TestInside(t *testing.T) {
	outside := t.TempDir()
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("folder", 0o755), os.Symlink("folder", "within"), os.Symlink(outside, "out"), os.WriteFile("file", nil, 0o600)); err != nil {
		t.Skip(err)
	}
	for dir, good := range map[string]bool{".": true, "folder": true, "new/folder": true, "within": true, outside: true, "out": false, "out/new": false, "folder/../out": false, "file/new": true} {
		if err := Inside(dir); (err == nil) != good {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// A claimed folder is the user's choice wherever it is. No link in it leads out of it.
func TestInsideClaimed(t *testing.T) {
	outside := t.TempDir()
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err := errors.Join(err, os.MkdirAll("out/folder", 0o755), os.Symlink(outside, "out/tsv"), os.Symlink("..", "out/up"), os.Symlink("folder", "out/within")); err != nil {
		t.Skip(err)
	}
	for _, claimed := range []string{"out", filepath.Join(here, "out"), filepath.Join("..", filepath.Base(here), "out")} {
		c, err := Claim(claimed, "-o", nil)
		if err != nil {
			t.Fatal(err)
		}
		for dir, good := range map[string]bool{".": true, "folder": true, "new": true, "within": true, "..": true, "tsv": false, "tsv/new": false, "up": false} {
			if err := Make(filepath.Join(claimed, dir)); (err == nil) != good {
				t.Errorf("%s in %s: %v", dir, claimed, err)
			}
		}
		c.Release()
		if err := Inside(filepath.Join(here, "out", "tsv")); err != nil {
			t.Errorf("after the release: %v", err)
		}
	}
	if entries, err := os.ReadDir(outside); len(entries) > 0 || err != nil {
		t.Errorf("made outside: %v, %v", entries, err)
	}
}
