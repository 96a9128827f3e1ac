package browsertest

import (
	"strings"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

// TestRulesFindFaults gives each rule a page that breaks it: a rule that nothing
// can break would hold every page to nothing.
func TestRulesFindFaults(t *testing.T) {
	for rule, page := range map[string]string{
		"wide()":           `<p>fine</p><div id=fault style="width:2000px">x</div>`,
		"stuck()":          `<div id=fault style="width:90px;overflow-x:auto"><div style="width:900px">x</div></div>`,
		"faint(4.5)":       `<body style="background:#fff"><p style="color:#767676">fine</p><div style="background:rgb(0 0 0 / .5)"><p id=fault style="color:#999">x</p></div>`,
		"faint(4.5, true)": `<body style="background:#000;color:#fff"><p id=fault>legible on black only</p>`,
		"folded()":         `<details><summary id=fault>x</summary><p>hidden</p></details>`,
		"harm()":           `<p>fine</p><b id=fault data-evil>x</b>`,
	} {
		t.Run(rule, func(t *testing.T) {
			p := Open(t, "<!doctype html><title>t</title>"+page, Phone)
			broken := Ask[[]string](p, rules+"."+rule)
			if len(broken) == 0 || !strings.Contains(strings.Join(broken, "\n"), "#fault") || strings.Contains(strings.Join(broken, "\n"), "fine") {
				t.Errorf("found %q", broken)
			}
			p.Quiet()
		})
	}
}

// TestEscapesAreHarm knows escapes that a terminal would obey, and text that turns round.
func TestEscapesAreHarm(t *testing.T) {
	p := Open(t, "<!doctype html><meta charset=utf-8><p>a\x1b[31mb\u202e</p>", Phone)
	if broken := Ask[[]string](p, rules+".harm()"); len(broken) != 2 {
		t.Errorf("found %q", broken)
	}
}

// recorder is a test that may fail without failing.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Errorf(string, ...any) { r.errors++ }
func (r *recorder) Error(...any)          { r.errors++ }

func TestFailuresAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		do   func(*Page)
	}{
		"a control out of reach":      {`<button onfocus="this.blur()">x</button><button>y</button>`, (*Page).Keys},
		"a focus that cannot be seen": {`<button style="outline:none">x</button>`, (*Page).Keys},
		"nothing to reach":            {`<p>x`, (*Page).Keys},
		"a console message":           {`<script>console.warn(1)</script>`, (*Page).Quiet},
		"an exception":                {`<script>throw 1</script>`, (*Page).Quiet},
		"a request":                   {`<img src="data-of-nobody.png">`, (*Page).Quiet},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			p := Open(r, "<!doctype html>"+c.page, Phone)
			if c.do(p); r.errors == 0 {
				t.Error("nothing was found")
			}
		})
	}
}
