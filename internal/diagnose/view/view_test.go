package view

import (
	pprof "github.com/google/pprof/profile"

	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/mattn/go-runewidth"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
)

var update = flag.Bool("update", false, "write the golden files anew")

func some(v float64) *float64 { return &v }

// filled is a document with all that views show, in which name stands wherever
// a profile or a source has its say.
func filled(name string) *diagnose.Document {
	path := []evidence.Frame{{Function: name, File: "/src/app/serve.go", Line: 12}, {Function: "main.main", File: "/src/app/main.go", Line: 9}}
	return &diagnose.Document{
		Schema: diagnose.Schema, Tool: "test", Made: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Command: []string{"diagnose", "cpu"},
		Sources: []evidence.Source{{Name: name, Kind: evidence.CPU, Stacks: 100}},
		Notes:   []string{"a doubt about " + name},
		CPU: &diagnose.Spending{Seconds: 10, Samples: 1000, Idle: 0.01, Ceiling: evidence.Range{Low: 0.2, High: 0.4},
			Classes:    []diagnose.Share{{Class: "own code", Share: 0.7}, {Class: "GC mark", Share: 0.3}},
			Collection: evidence.Range{Low: 0.1, High: 0.3},
			Accounted:  some(0.12),
			Measured:   &diagnose.Control{Mode: "GOGC=off+GOMEMLIMIT=1GiB", Saved: 0.2, Low: 0.15, High: 0.25, Blocks: 8, Note: "the memory limit was reached"}},
		Memory: diagnose.Holding{Live: some(1 << 20), Goal: some(2 << 20), Rate: some(5 << 20), RSS: some(9 << 20), PeakRSS: true,
			Parts: []diagnose.Part{{Name: "live heap", Bytes: 1 << 20, Note: "what the last collection found"}}, Unknown: []string{"something"}},
		Sites: []diagnose.Place{{Frame: path[0], Source: name, Path: path, Through: []string{name}, Alloc: evidence.Amount{Bytes: 1 << 30, Objects: 1000},
			Live: evidence.Amount{Bytes: 1 << 20, Objects: 10}, Rate: some(1 << 20), Survives: some(0.001), Behaves: diagnose.Grows, Why: "it grows",
			Growth: &evidence.Growth{PerHour: 1 << 20, Low: 1 << 19, High: 2 << 20, Profiles: 5, Span: 3600},
			CPU:    evidence.Range{Low: 0.1, High: 0.2}, Memory: evidence.Range{Low: 1, High: 1}}},
		Findings: []rules.Finding{{Rule: "string-conversion", File: "/src/app/serve.go", Line: 12, Function: name, Title: "bytes become a string: " + name,
			Source: name, Path: path, Escape: "string(b): passed to " + name, Evidence: []rules.Figure{{Name: "allocated", Value: 1 << 30, Unit: "bytes"}, {Name: "survives", Value: 0.001, Unit: "fraction"}},
			Remedy: "Look it up by bytes.", Example: "x := m[string(b)]\nuse(x)\n", Check: "stringconversion", Patch: "diff a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,1 +1,1 @@\n-" + name + "\n+\tx = y\n", Risk: "None.", Confidence: evidence.High,
			CPU: evidence.Range{Low: 0.1, High: 0.2}, Memory: evidence.Range{}, Others: []rules.Finding{{Title: name, Line: 12}}}},
	}
}

func written(t *testing.T, d *diagnose.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const hostile = "main.f\x1b[31m\r\n</script><script>alert(1)</script>\u202e\" onload=\"x"

func TestTextIsHarmlessAndNarrow(t *testing.T) {
	for _, name := range []string{"main.serve", hostile, strings.Repeat("very/long/", 40) + "pkg.(*Type[go.shape.int]).Method", "世界.世界", "main." + strings.Repeat("a ", 1<<19)} {
		var b bytes.Buffer
		if err := Text(&b, filled(name)); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 100*columns {
			t.Errorf("%d bytes for %.20s", b.Len(), name)
		}
		for i, l := range strings.Split(b.String(), "\n") {
			if w := runewidth.StringWidth(l); w > columns {
				t.Errorf("line %d is %d columns wide: %s", i+1, w, l)
			}
			if strings.ContainsFunc(l, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
				t.Errorf("line %d: %q", i+1, l)
			}
		}
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, filled("example.org/app.(*server).serve")); err != nil {
		t.Fatal(err)
	}
	golden(t, "diagnosis.txt", b.String())
	b.Reset()
	if err := Text(&b, &diagnose.Document{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "No findings.") || !strings.Contains(b.String(), "give a CPU profile") {
		t.Errorf("an empty diagnosis:\n%s", b.String())
	}
}

// A benchmark has a profile of its own, and a module may have hundreds.
func TestTextOfManySources(t *testing.T) {
	d := &diagnose.Document{Sources: []evidence.Source{{Name: "the heaps", Kind: evidence.Heap}}}
	for range 100 {
		d.Sources = append(d.Sources, evidence.Source{Name: "a benchmark", Kind: evidence.CPU})
	}
	var b bytes.Buffer
	if err := Text(&b, d); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Count(s, "a benchmark") != maxSources || !strings.Contains(s, "the heaps") || !strings.Contains(s, "… and 92 more of kind CPU in") {
		t.Errorf("the sources are:\n%s", s)
	}
}

// The one script is the page's own, which the policy names by its hash; names do not
// become another.
func TestHTMLLoadsNothing(t *testing.T) {
	for _, name := range []string{"main.serve", hostile} {
		var b bytes.Buffer
		if err := HTML(&b, filled(name)); err != nil {
			t.Fatal(err)
		}
		html := b.String()
		if regexp.MustCompile(`(?i)\son\w+="|\ssrc=|<link|url\(|https?:`).MatchString(html) || strings.Count(html, "<script") != 1 {
			t.Errorf("it has something that runs or loads:\n%s", html)
		}
		for _, want := range []string{"default-src &#39;none&#39;", "color-scheme", "20%", "Look it up by bytes."} {
			if !strings.Contains(html, want) {
				t.Errorf("it lacks %q", want)
			}
		}
		if strings.ContainsFunc(html, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
			t.Error("it has a control character")
		}
		if f, s := strings.Index(html, `id="findings"`), strings.Index(html, `id="sites"`); f < 0 || s < f {
			t.Error("findings do not come first")
		}
	}
}

// The names that programs rely on.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, filled("main.serve")); err != nil {
		t.Fatal(err)
	}
	golden(t, "diagnosis.json", b.String()) // which the tests in a browser show
	var doc struct {
		Schema   string
		Findings []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "heapwright.diagnosis/1" || len(doc.Findings) != 1 {
		t.Fatalf("%+v", doc)
	}
	for _, name := range []string{"rule", "file", "line", "function", "source", "path", "escape", "evidence", "remedy", "example", "risk", "confidence", "cpu", "memory"} {
		if _, ok := doc.Findings[0][name]; !ok {
			t.Errorf("a finding has no %q", name)
		}
	}
	if cpu, _ := doc.Findings[0]["cpu"].(map[string]any); cpu["low"] != 0.1 || cpu["high"] != 0.2 {
		t.Errorf("cpu is %v", cpu)
	}
}

// A finding whose cost no profile shows does not save nothing.
func TestSavingsThatAreNotKnown(t *testing.T) {
	d := filled("main.serve")
	d.Findings[0].CPU, d.Findings[0].Memory = evidence.Range{}, evidence.Range{}
	var b bytes.Buffer
	if err := Text(&b, d); err != nil || !strings.Contains(b.String(), "what it saves is not known · confidence high") {
		t.Errorf("%v:\n%s", err, b.String())
	}
	if page := written(t, d); !strings.Contains(page, "not known; confidence") {
		t.Error("the page does not say so")
	}
}

// Names in it harm no terminal, and are the same when read again.
func TestJSONIsHarmless(t *testing.T) {
	name := hostile + "\x7f\u009b\u00ad\u2066\U000e0041é世"
	var b bytes.Buffer
	if err := JSON(&b, filled(name)); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }); i >= 0 {
		t.Errorf("it has %q", b.String()[i:i+4])
	}
	var doc diagnose.Document
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil || doc.Findings[0].Function != name {
		t.Errorf("%q came back as %q, %v", name, doc.Findings[0].Function, err)
	}
}

func TestRanges(t *testing.T) {
	for r, want := range map[evidence.Range]string{{}: "0%", {Low: 0.1, High: 0.2}: "10–20%", {Low: 0.0001, High: 0.03}: "<0.1–3.0%", {Low: 1, High: 1}: "100%"} {
		if got := Between(r); got != want {
			t.Errorf("%v is %q, want %q", r, got, want)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update and judge the change):\n%s", file, got)
	}
}

// withProfile is a document with a CPU profile.
func withProfile(t *testing.T) *diagnose.Document {
	t.Helper()
	var dict profile.Dict
	p, err := profile.NewDecoder(profile.Options{Dict: &dict}).DecodeBytes("cpu", cpuProfile(t))
	if err != nil {
		t.Fatal(err)
	}
	d := filled("main.serve")
	d.Drawn = []*profile.Profile{p}
	return d
}

func TestHTMLDrawsProfiles(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, withProfile(t)); err != nil {
		t.Fatal(err)
	}
	if html := b.String(); !strings.Contains(html, `class="flame-data"`) || !strings.Contains(html, "script-src &#39;sha256-") {
		t.Error("there is no graph of the profile")
	}
}

// Source lines in a graph are of the module that the findings are of.
func TestHTMLFindsSourceBelowTheRoot(t *testing.T) {
	d := withProfile(t)
	d.Root = t.TempDir()
	text := strings.Repeat("\n", 6) + "func serve() { answerWithCare() }\n"
	if err := os.WriteFile(filepath.Join(d.Root, "main.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`class="flame-data">([^<]*)<`).FindStringSubmatch(written(t, d))
	if m == nil {
		t.Fatal("there is no graph")
	}
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil || !strings.Contains(string(data), "answerWithCare") {
		t.Errorf("the line is not in the graph: %v", err)
	}
}

// cpuProfile is a profile with one sample.
func cpuProfile(t *testing.T) []byte {
	f := &pprof.Function{ID: 1, Name: "main.serve", Filename: "main.go"}
	l := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: f, Line: 7}}}
	p := &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample:     []*pprof.Sample{{Location: []*pprof.Location{l}, Value: []int64{1, 1e7}}},
		Location:   []*pprof.Location{l}, Function: []*pprof.Function{f},
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
