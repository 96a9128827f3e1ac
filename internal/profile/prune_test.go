package profile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// mixed has stacks of inlined and plain frames whose names drop and keep
// expressions tell apart in every way.
func mixed(drop, keep string) *gpprof.Profile {
	p := &gpprof.Profile{
		SampleType: []*gpprof.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, DropFrames: drop, KeepFrames: keep,
		PeriodType: &gpprof.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1,
	}
	functions := map[string]*gpprof.Function{}
	of := func(names ...string) *gpprof.Location {
		l := &gpprof.Location{ID: uint64(len(p.Location) + 1), Address: uint64(len(p.Location) + 1)}
		for _, name := range names {
			f := functions[name]
			if f == nil {
				f = &gpprof.Function{ID: uint64(len(functions) + 1), Name: name, SystemName: name}
				functions[name] = f
				p.Function = append(p.Function, f)
			}
			l.Line = append(l.Line, gpprof.Line{Function: f, Line: 1})
		}
		p.Location = append(p.Location, l)
		return l
	}
	a, b, drop1, dropArgs := of("main.a"), of("main.b"), of("lib.drop"), of(".lib.drop(int, (anonymous namespace)::T)")
	over, under, all := of("lib.drop", "main.inl"), of("main.inl", "lib.drop"), of("lib.drop2", "lib.drop")
	call, keeps := of("ns::(anonymous namespace)::F::operator()(int)"), of("lib.dropbutkeep")
	for i, stack := range [][]*gpprof.Location{
		{a}, {drop1}, {a, drop1}, {drop1, a}, {b, drop1, a}, {b, over, a}, {over, a}, {over}, {under, a}, {b, under, a},
		{a, over}, {b, all, a}, {all, b, all, a}, {b, dropArgs, a}, {b, call, a}, {b, keeps, a}, {b, keeps, drop1, keeps}, {b, drop1, over},
	} {
		p.Sample = append(p.Sample, &gpprof.Sample{Location: stack, Value: []int64{1 << i}})
	}
	return p
}

func TestPruneAsPprofDoes(t *testing.T) {
	for _, c := range []struct{ drop, keep string }{
		{"lib.drop.*", ""}, {"lib.drop.*", "lib.dropbutkeep"}, {"lib.drop", "nothing"}, {"drop", ""}, {".*", "main.*"}, {".*", ""},
		{`ns::\(anonymous namespace\)::F::operator\(\)`, ""}, {"", "x"},
	} {
		want := mixed(c.drop, c.keep)
		p := decodeRaw(t, rawOf(t, want))
		if err := want.RemoveUninteresting(); err != nil {
			t.Fatal(err)
		}
		got, err := p.Prune()
		if err != nil {
			t.Fatal(err)
		}
		g, w := dumpSamples(viaPprof(t, got)), dumpSamples(want)
		for i := range w {
			if g[i] != w[i] {
				t.Errorf("drop %q, keep %q, sample %d:\ngot  %s\nwant %s", c.drop, c.keep, i, g[i], w[i])
			}
		}
	}
	if _, err := decodeRaw(t, rawOf(t, mixed("(", ""))).Prune(); err == nil {
		t.Error("an expression that is none was taken")
	}
}

func TestPrunedTotalsEqualPprof(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	var file bytes.Buffer
	if err := mixed("lib.drop.*", "lib.dropbutkeep").Write(&file); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "cpu")
	if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Prune(); err != nil {
		t.Fatal(err)
	}
	wantTotal, want := pprofTop(t, name, p.SampleTypes[0])
	if got := p.Total(0); got != wantTotal {
		t.Errorf("total %d, want %d", got, wantTotal)
	}
	got := map[string]Group{}
	for _, g := range p.Group(0) {
		got[g.Name] = g
	}
	for _, w := range want {
		if got[w.Name] != w {
			t.Errorf("got %+v, want %+v", got[w.Name], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d functions, want %d", len(got), len(want))
	}
}
