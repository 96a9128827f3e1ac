package tune

import (
	"slices"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/verdict"
)

func TestUpgradesOf(t *testing.T) {
	about := func(most float64, module, version, latest string) rules.Finding {
		return rules.Finding{CPU: evidence.Range{High: most}, Library: []rules.LibraryLine{{Module: module, Version: version, Latest: latest}}}
	}
	d := &diagnose.Document{Findings: []rules.Finding{
		about(0.01, "example.com/cheap", "v1.0.0", "v1.1.0"),
		about(0.5, "example.com/a", "v1.0.0-rc.1", "v1.0.0"),
		about(0.4, "example.com/a", "v1.0.0-rc.1", "v1.0.0"),
		about(0.3, "example.com/newest", "v1.4.0", "v1.4.0"),
		about(0.3, "", "", ""),
		about(0.3, "example.com/replaced", "", ""),
		{Others: []rules.Finding{{Callee: &rules.LibraryLine{Module: "example.com/b", Version: "v1.0.0", Latest: "v1.9.0"}}}},
		about(0.1, "example.com/c", "v1.0.0", "v1.9.0"),
	}}
	var got []string
	for _, u := range upgradesOf(d) {
		got = append(got, u.mode())
	}
	if want := []string{"dep=example.com/a@v1.0.0", "dep=example.com/b@v1.9.0"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestBetween(t *testing.T) {
	versions := []string{"v1.0.0", "v1.0.1", "v1.0.2", "v1.1.0", "v1.2.0-rc.1", "v1.2.0", "v1.3.0", "v1.3.1", "v1.4.0"}
	for _, test := range []struct {
		from, to string
		want     []string
	}{
		{"v1.0.0", "v1.4.0", []string{"v1.0.2", "v1.2.0"}},
		{"v1.2.0", "v1.4.0", []string{"v1.3.1"}},
		{"v1.3.1", "v1.4.0", nil},
	} {
		if got := between(versions, test.from, test.to); !slices.Equal(got, test.want) {
			t.Errorf("between %s and %s: %v, want %v", test.from, test.to, got, test.want)
		}
	}
}

// Of two versions that save nearly the same, the smaller upgrade is best.
func TestSmallestUpgrade(t *testing.T) {
	all := []candidate{
		{mode: "dep=example.com/a@v1.4.0", family: dependency("example.com/a"), smaller: []string{"dep=example.com/a@v1.1.0"}},
		{mode: "GOGC=400", family: pacing},
	}
	first := measured(outcome{all[0].mode, verdict.Adopt, 0.7, 1}, outcome{"GOGC=400", verdict.Reject, 1, 1})
	last := finalists(judge(first, all, 0, Prices{}), all)
	if got := modesOf(last); got != "dep=example.com/a@v1.4.0 dep=example.com/a@v1.1.0" {
		t.Fatalf("finalists: %s", got)
	}
	for version, cpu := range map[string]float64{"v1.1.0": 0.71, "v1.4.0": 0.9} {
		final := measured(outcome{all[0].mode, verdict.Adopt, 0.7, 1}, outcome{"dep=example.com/a@v1.1.0", verdict.Adopt, cpu, 1.1})
		if got := best(judge(final, last, 0, Prices{}), last, "", adopted); got != "dep=example.com/a@"+version {
			t.Errorf("at %v: %s, want %s", cpu, got, version)
		}
	}
}

func TestAdvises(t *testing.T) {
	d := &Document{Upgrades: []Upgrade{{Module: "example.com/a", From: "v1.0.0", To: "v1.4.0"}}}
	for chosen, want := range map[string]string{
		"GOGC=400":                          "Run with GOGC=400",
		"dep=example.com/a@v1.1.0":          "Upgrade example.com/a from v1.0.0 to v1.1.0",
		"dep=example.com/a@v1.4.0+GOGC=400": "Upgrade example.com/a from v1.0.0 to v1.4.0. Run with GOGC=400, too",
	} {
		if got := d.advises(chosen); got != want {
			t.Errorf("%s: %q, want %q", chosen, got, want)
		}
	}
}
