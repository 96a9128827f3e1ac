package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// An agent finds the line, learns about it, and finds it again later.
func TestDiagnose(t *testing.T) {
	t.Parallel()
	c := connect(t, app(t, nil), nil)
	var found listing
	text, failed := c.call(t, "diagnose", map[string]any{"packages": []string{"."}, "budget": 6}, &found)
	if failed || len(found.Findings) == 0 || found.Target != "." {
		t.Fatalf("%+v\n%s", found, text)
	}
	f := found.Findings[0]
	if f.File != "join.go" || f.Line != 10 || f.Function != "example.org/app.Join" {
		t.Errorf("%+v", f)
	}
	if f.Bytes < 0.9 || f.CPU.High < f.CPU.Low || f.CPU.High == 0 {
		t.Errorf("%+v", f)
	}
	if c := found.Coverage; c.Bytes < f.Bytes || c.CPU.High > c.Of.High || c.Of.High == 0 {
		t.Errorf("%+v", c)
	}
	for _, want := range []string{"join.go:10", "app.Join", "Coverage: these lines allocate 100% of", "CPU time: "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var again listing
	text, failed = c.call(t, "list_findings", map[string]any{"limit": 1}, &again)
	if failed || len(again.Findings) != 1 || again.Findings[0] != f {
		t.Errorf("%+v\n%s", again, text)
	}
	for _, arguments := range []map[string]any{{"finding": 1}, {"file": "join.go", "line": 10}} {
		var e explanation
		text, failed := c.call(t, "explain_site", arguments, &e)
		if failed || e.Finding == nil || e.Finding.Number != 1 || e.Remedy == "" || !strings.Contains(text, "remedy") {
			t.Errorf("%v: %+v\n%s", arguments, e, text)
		}
		if e.Memory == nil || e.Memory.Share < 0.9 || !strings.Contains(e.Source, "10\t\t\t\tout = strings.Join") {
			t.Errorf("%v: %+v\n%s", arguments, e, text)
		}
	}
	for _, arguments := range []map[string]any{{"finding": 1000}, {"file": "join.go", "line": 1}} {
		text, failed := c.call(t, "explain_site", arguments, nil)
		if !failed || !strings.Contains(text, "list_findings lists them") {
			t.Errorf("%v: %s", arguments, text)
		}
	}
	c.unchanged(t)
}

func TestPrice(t *testing.T) {
	if !thorough {
		t.Skip("it takes half a minute: HEAPWRIGHT_THOROUGH=1 tries it")
	}
	t.Parallel()
	c := connect(t, app(t, nil), nil)
	var found listing
	// The measurement ends after its blocks. The budget only limits it: one that a quiet machine
	// just keeps to leaves a busy one without the pairs of runs, or lets a benchmark time out.
	text, failed := c.call(t, "price", map[string]any{"budget": 900}, &found)
	if failed || len(found.Findings) == 0 || found.Findings[0].Price == nil {
		t.Fatalf("%+v\n%s", found, text)
	}
	if p := found.Findings[0].Price; p.Why != "" || !(p.Low <= p.CPU && p.CPU <= p.High) || !(p.CPU > 0.1) {
		t.Errorf("%+v\n%s", p, text)
	}
	c.unchanged(t)
}

// Coverage counts each line once, and no more than there is.
func TestCoverage(t *testing.T) {
	at := func(file string, line int) evidence.Frame {
		return evidence.Frame{Function: "f", File: file, Line: line}
	}
	d := &diagnose.Document{
		CPU: &diagnose.Spending{Ceiling: evidence.Range{Low: 0.3, High: 0.5}},
		Sites: []diagnose.Place{
			{Frame: at("a.go", 1), Share: 0.5, CPU: evidence.Range{Low: 0.2, High: 0.4}},
			{Frame: at("b.go", 2), Share: 0.2, CPU: evidence.Range{Low: 0.1, High: 0.2}},
			{Frame: at("c.go", 3), Share: 0.3},
		},
		Findings: []rules.Finding{{File: "a.go", Line: 1}, {File: "a.go", Line: 1}, {File: "b.go", Line: 2}, {}},
	}
	for most, want := range map[int]coverage{
		1: {Bytes: 0.5, CPU: interval{0.2, 0.4}},
		2: {Bytes: 0.5, CPU: interval{0.2, 0.4}},
		4: {Bytes: 0.7, CPU: interval{0.3, 0.5}},
	} {
		want.Of = interval{0.3, 0.5}
		l := list(d, most)
		if l.Coverage != want || l.More != 4-most {
			t.Errorf("%d: %+v, %d more; want %+v", most, l.Coverage, l.More, want)
		}
	}
	if text := list(&diagnose.Document{Target: "x"}, 1).String(); !strings.HasPrefix(text, "No findings for x") {
		t.Error(text)
	}
}

// A diagnosis that came with somebody else's repository shows no files of this machine.
func TestPlantedDiagnosis(t *testing.T) {
	root := app(t, nil)
	secret := filepath.Join(t.TempDir(), "secret.go")
	if err := os.WriteFile(secret, []byte("secret\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(root, "link.go")); err != nil {
		t.Skip("no symbolic links here")
	}
	c := connect(t, root, nil)
	beside := "../" + filepath.Base(filepath.Dir(secret)) + "/secret.go"
	for root, file := range map[string]string{
		filepath.Dir(secret): "secret.go", c.root: beside, c.root + "/": "link.go", "/": secret[1:],
	} {
		f := rules.Finding{File: file, Line: 1, Remedy: "none"}
		d := &diagnose.Document{Schema: diagnose.Schema, Root: root, Findings: []rules.Finding{f}}
		if err := view.Save(c.out, d); err != nil {
			t.Fatal(err)
		}
		var e explanation
		text, failed := c.call(t, "explain_site", map[string]any{"finding": 1}, &e)
		if failed || e.Source != "" || strings.Contains(text, "secret\n") {
			t.Errorf("%s of %s: %s", file, root, text)
		}
	}
	if err := os.WriteFile(filepath.Join(c.out, "diagnosis.json"), []byte(`{"schema": "other"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	text, failed := c.call(t, "list_findings", nil, nil)
	if !failed || !strings.Contains(text, "diagnose again with this version") {
		t.Error(text)
	}
}
