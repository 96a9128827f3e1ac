package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/sample"
)

var today = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "budget.toml")
	text := `
[budget."B/op"]
grow = "3%"
floor = 64

[budget."cpu-sec/op"]
grow = "off"

[[benchmark]]
name = "json.Dec*"
[benchmark.budget."allocs/op"]
grow = "0%"

[[exception]]
benchmark = "json.Decode"
metric = "B/op"
grow = "30%"
until = 2027-03-01
reason = "agreed"
`
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	b, err := Load(t.Context(), name, today)
	if err != nil {
		t.Fatal(err)
	}
	if l, ok := b.limit(key("Encode"), "B/op"); !ok || l != (Limit{Grow: 0.03, Floor: 64}) {
		t.Errorf("B/op: %v, %v", l, ok)
	}
	if _, ok := b.limit(key("Encode"), sample.Primary); ok {
		t.Error("CPU is gated though it is off")
	}
	if l, _ := b.limit(key("Decode"), "allocs/op"); l.Grow != 0 {
		t.Errorf("the benchmark's own limit is %v", l)
	}
	if l, _ := b.limit(key("Encode"), "allocs/op"); l != Default().limits["allocs/op"] {
		t.Errorf("another benchmark's limit is %v, not the default", l)
	}
	if x := b.exception(key("Decode"), "B/op"); x == nil || x.Grow != 0.3 {
		t.Errorf("exception: %v", x)
	}
}

// A field that an entry leaves out has the default, and in a benchmark's own entry
// the value for all benchmarks.
func TestEntriesInPart(t *testing.T) {
	b, err := parse(`
[budget."B/op"]
grow = "3%"
[budget."allocs/op"]
floor = 2
[budget."cpu-sec/op"]
grow = "off"
[[benchmark]]
name = "json.Decode"
[benchmark.budget."B/op"]
grow = "10%"
[benchmark.budget."allocs/op"]
grow = "0%"
[benchmark.budget."cpu-sec/op"]
grow = "7%"
`, today)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, metric string
		want         Limit
	}{
		{"Encode", "B/op", Limit{Grow: 0.03, Floor: 8}},
		{"Encode", "allocs/op", Limit{Grow: 0.05, Floor: 2}},
		{"Decode", "B/op", Limit{Grow: 0.1, Floor: 8}},
		{"Decode", "allocs/op", Limit{Floor: 2}},
		{"Decode", sample.Primary, Limit{Grow: 0.07, Floor: 0.5e-9}},
	} {
		if l, ok := b.limit(key(test.name), test.metric); !ok || l != test.want {
			t.Errorf("%s of %s: %v, %v, want %v", test.metric, test.name, l, ok, test.want)
		}
	}
}

func TestTheLastExceptionHolds(t *testing.T) {
	b := Default()
	b.exceptions = []Exception{{Benchmark: "json.*", Metric: "B/op", Grow: 0.1}, {Benchmark: "json.Decode", Metric: "B/op", Grow: 0.3}}
	if x := b.exception(key("Decode"), "B/op"); x == nil || x.Grow != 0.3 {
		t.Errorf("of two exceptions %v holds", x)
	}
	if x := b.exception(key("Encode"), "B/op"); x == nil || x.Grow != 0.1 {
		t.Errorf("the one that matches is not %v", x)
	}
}

func TestLoadErrors(t *testing.T) {
	const exception = "[[exception]]\nbenchmark=\"json.Decode\"\nmetric=\"B/op\"\n"
	tests := []struct{ text, want string }{
		{"[budget.\"B/op\"]\ngrwo = \"3%\"", `grwo`},
		{"[budget.\"B/op\"]\ngrow = \"3\"", `B/op: grow = "3" is no percentage`},
		{"[budget.\"B/op\"]\nfloor = -1\ngrow=\"1%\"", "floor = -1 is no number"},
		{"[budget.\"B/op\"]\nfloor = inf", "floor = +Inf is no number"},
		{"[budget.\"B/op\"]\nfloor = nan", "floor = NaN is no number"},
		{"[budget.\"B/op\"]\ngrow = \"\"", "is no percentage"},
		{"[budget.\"MB/s\"]\nfloor = 1", "MB/s: say how much it may grow"},
		{"[budget.\"B/op\"]\ngrow = \"NaN%\"", "is no percentage"},
		{"budget = 3", "is no table"},
		{"[[benchmark]]\n", "without a name"},
		{"[[benchmark]]\nname=\"[\"", "syntax error in pattern"},
		{"[budget", "line 1"},
		{exception + "grow=\"3%\"\nuntil=2027-01-01", "give a reason"},
		{exception + "grow=\"3%\"\nreason=\"x\"", "say until when"},
		{exception + "grow=\"3%\"\nreason=\"x\"\nuntil=2026-11-21", "it ended on 2026-11-21 (x); remove it"},
		{exception + "reason=\"x\"\nuntil=2027-01-01", "is no percentage"},
	}
	for _, test := range tests {
		if _, err := parse(test.text, today); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
	if _, err := Load(t.Context(), filepath.Join(t.TempDir(), "none"), today); err == nil {
		t.Error("a file that is not there is read")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[budget.\"B/op\"]\ngrow = \"3%\"\nfloor = 64")
	f.Add("[[exception]]\nbenchmark=\"a\"\nmetric=\"b\"\ngrow=\"1%\"\nreason=\"x\"\nuntil=2027-01-01")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := parse(text, today)
		if (b == nil) == (err == nil) {
			t.Errorf("parse gives %v and %v", b, err)
		}
		if err != nil {
			return
		}
		for metric := range b.limits {
			if l, _ := b.limit(key("Decode"), metric); !(l.Grow >= 0 && l.Floor >= 0) {
				t.Errorf("limit %v of %q", l, metric)
			}
		}
	})
}
