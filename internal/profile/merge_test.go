package profile

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// merged returns the same profiles as merged by us and by google/pprof.
func merged(t *testing.T, sources ...*gpprof.Profile) (ours, theirs *gpprof.Profile) {
	t.Helper()
	m := NewMerger(Options{})
	for i, s := range sources {
		sources[i] = kept(t, s) // as it is once it has been in a file
		if err := m.Decode("source", bytes.NewReader(rawOf(t, s))); err != nil {
			t.Fatal(err)
		}
	}
	p, err := m.Profile()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = gpprof.Merge(sources)
	if err != nil {
		t.Fatal(err)
	}
	return viaPprof(t, p), kept(t, theirs)
}

// relocated is p as the same binary would write it, loaded elsewhere.
func relocated(p *gpprof.Profile, by uint64) *gpprof.Profile {
	q := p.Copy()
	for _, m := range q.Mapping {
		if m.File == "/bin/main" {
			m.Start, m.Limit = m.Start+by, m.Limit+by
		}
	}
	for _, l := range q.Location {
		if l.Mapping != nil {
			l.Address += by
		}
	}
	return q
}

func TestMergeEqualsPprof(t *testing.T) {
	later := relocated(full(), 0x7000)
	later.TimeNanos, later.Period, later.Comments = 7, 1<<20, []string{"second"}
	negative := full()
	for _, s := range negative.Sample[:2] {
		for i := range s.Value {
			s.Value[i] *= -1
		}
	}
	heap, err := gpprof.ParseData(realProfiles()["heap"])
	if err != nil {
		t.Fatal(err)
	}
	for name, sources := range map[string][]*gpprof.Profile{
		"one":                    {full()},
		"twice":                  {full(), full()},
		"another address":        {full(), later, relocated(full(), 0x123000)},
		"samples that cancel":    {full(), negative},
		"heap of this process":   {heap, heap.Copy()},
		"empty, without samples": {{SampleType: full().SampleType, PeriodType: full().PeriodType}, full()},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := merged(t, sources...)
			g, w := dumpSamples(ours), dumpSamples(theirs)
			slices.Sort(g)
			slices.Sort(w)
			if !slices.Equal(g, w) {
				t.Errorf("samples:\ngot  %s\nwant %s", strings.Join(g, "\n     "), strings.Join(w, "\n     "))
			}
			if g, w := dump(ours)[0], dump(theirs)[0]; g != w {
				t.Errorf("header:\ngot  %s\nwant %s", g, w)
			}
		})
	}
}

func TestMergeRefusesOtherKinds(t *testing.T) {
	dir := t.TempDir()
	for _, kind := range []string{"heap", "goroutine"} {
		if err := os.WriteFile(filepath.Join(dir, kind), realProfiles()[kind], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	heap, goroutine := filepath.Join(dir, "heap"), filepath.Join(dir, "goroutine")
	_, err := MergeFiles(heap, goroutine)
	if err == nil || !strings.Contains(err.Error(), "inuse_space") || !strings.Contains(err.Error(), "goroutine/count") {
		t.Errorf("error %v does not name both kinds", err)
	}
	if _, err := MergeFiles(); err == nil {
		t.Error("merging nothing is no error")
	}
	if _, err := MergeFiles(filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("error %v does not name the file", err)
	}
}

func TestMergerGoesOnAfterABadProfile(t *testing.T) {
	m := NewMerger(Options{})
	raw := rawOf(t, full())
	for _, input := range [][]byte{raw, append(bytes.Clone(raw), 0xff), raw} {
		err := m.Decode("x", bytes.NewReader(input))
		if wantErr := len(input) != len(raw); (err != nil) != wantErr {
			t.Fatalf("%d bytes: %v", len(input), err)
		}
	}
	p, err := m.Profile()
	if err != nil {
		t.Fatal(err)
	}
	want, err := gpprof.Merge([]*gpprof.Profile{full(), full()})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Total(1); int(got) != total(want, 1) {
		t.Errorf("total %d, want %d", got, total(want, 1))
	}
}

func total(p *gpprof.Profile, column int) (sum int) {
	for _, s := range p.Sample {
		sum += int(s.Value[column])
	}
	return sum
}

func TestColumnsAreFoundByName(t *testing.T) {
	swapped := full()
	slices.Reverse(swapped.SampleType)
	for _, s := range swapped.Sample {
		slices.Reverse(s.Value)
	}
	m := NewMerger(Options{})
	for _, p := range []*gpprof.Profile{full(), swapped} {
		if err := m.Decode("x", bytes.NewReader(rawOf(t, p))); err != nil {
			t.Fatal(err)
		}
	}
	ours, err := m.Profile()
	if err != nil {
		t.Fatal(err)
	}
	_, theirs := merged(t, full(), full())
	for column := range 2 {
		if got, want := int(ours.Total(column)), total(theirs, column); got != want {
			t.Errorf("column %d: %d, want %d", column, got, want)
		}
	}
}

func TestRebaseNeedsNoDict(t *testing.T) {
	d := NewDecoder(Options{Rebase: true})
	var last *Profile
	for _, src := range []*gpprof.Profile{full(), relocated(full(), 0x5000)} {
		p, err := d.DecodeBytes("x", rawOf(t, src))
		if err != nil {
			t.Fatal(err)
		}
		if last != nil && !slices.Equal(p.Stacks, last.Stacks) {
			t.Errorf("stacks %v and %v of one binary differ", p.Stacks, last.Stacks)
		}
		last = p
	}
}

func TestDiff(t *testing.T) {
	base, now := full(), full()
	now.Sample = now.Sample[:3]
	now.Sample[0].Value = []int64{5, 9}
	d := NewDecoder(Options{Dict: new(Dict), Rebase: true})
	var p [2]*Profile
	for i, src := range []*gpprof.Profile{now, relocated(base, 0x3000)} {
		var err error
		if p[i], err = d.DecodeBytes("x", rawOf(t, src)); err != nil {
			t.Fatal(err)
		}
	}
	diff, err := Diff(p[0], p[1])
	if err != nil {
		t.Fatal(err)
	}
	if diff.Len() != 2 || diff.Values[0][0] != 4 || diff.Values[1][0] != 10 || diff.Values[1][1] != -5 {
		t.Errorf("got %d samples %v, want the changed one and the one that went", diff.Len(), diff.Values)
	}
	viaPprof(t, diff)
	if _, err := Diff(p[0], decodeRaw(t, rawOf(t, base))); err == nil {
		t.Error("profiles of two dictionaries can be subtracted")
	}
}
