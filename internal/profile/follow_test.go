package profile

import (
	"fmt"
	"math/rand/v2"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// service stands for a process that writes one profile after the other: call
// paths come and go and change their order, and locations get other ids.
type service struct {
	rng       *rand.Rand
	functions []*gpprof.Function
	locations []*gpprof.Location
	paths     [][]*gpprof.Location
}

// newService has so many locations that their ids take one, two and three bytes.
func newService() *service {
	s := &service{rng: rand.New(rand.NewPCG(1, 2))}
	for i := range 200 {
		s.functions = append(s.functions, &gpprof.Function{ID: uint64(i + 1), Name: fmt.Sprint("f", i)})
	}
	for i := range 1<<14 + 500 {
		l := &gpprof.Location{ID: uint64(i + 1), Address: uint64(i) << 8}
		for range s.rng.IntN(3) {
			l.Line = append(l.Line, gpprof.Line{Function: s.functions[s.rng.IntN(len(s.functions))], Line: int64(i)})
		}
		s.locations = append(s.locations, l)
	}
	s.meet(700)
	return s
}

// meet adds call paths before the others. Most are of few locations with low ids.
func (s *service) meet(n int) {
	var paths [][]*gpprof.Location
	for range n {
		among := []int{100, 1000, len(s.locations)}[s.rng.IntN(3)]
		path := make([]*gpprof.Location, s.rng.IntN(100))
		for i := range path {
			path[i] = s.locations[s.rng.IntN(among)]
		}
		paths = append(paths, path)
	}
	s.paths = append(paths, s.paths...)
}

func (s *service) profile(types int) *gpprof.Profile {
	p := &gpprof.Profile{Function: s.functions, Location: s.locations, PeriodType: &gpprof.ValueType{}}
	for t := range types {
		p.SampleType = append(p.SampleType, &gpprof.ValueType{Type: fmt.Sprint("type", t)})
	}
	for i, path := range s.paths {
		sample := &gpprof.Sample{Location: path}
		for range types {
			sample.Value = append(sample.Value, int64(s.rng.Uint64()>>s.rng.IntN(64)))
		}
		if i%3 > 0 {
			sample.NumLabel = map[string][]int64{"bytes": {int64(s.rng.IntN(400))}}
		}
		if i%50 == 0 {
			sample.Label = map[string][]string{"tenant": {"a", "b"}}
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

// TestFilesOfOneProcess: whatever came before in one dictionary, a file reads as
// google/pprof reads it.
func TestFilesOfOneProcess(t *testing.T) {
	s := newService()
	shared := NewDecoder(Options{Dict: new(Dict)})
	own := NewDecoder(Options{})
	for _, step := range []struct {
		name   string
		types  int
		change func()
	}{
		{"first", 4, func() {}},
		{"same", 4, func() {}},
		{"new paths", 4, func() { s.meet(20) }},
		{"other ids", 4, func() {
			s.rng.Shuffle(len(s.locations), func(i, j int) {
				a, b := s.locations[i], s.locations[j]
				a.ID, b.ID = b.ID, a.ID
			})
		}},
		{"paths gone", 4, func() { s.paths = append(s.paths[:100:100], s.paths[110:]...) }},
		{"other types", 2, func() {}},
		{"other order", 1, func() {
			s.rng.Shuffle(len(s.paths), func(i, j int) { s.paths[i], s.paths[j] = s.paths[j], s.paths[i] })
		}},
		{"other paths", 4, func() { s.paths = nil; s.meet(600) }},
		{"again", 4, func() {}},
	} {
		step.change()
		want := s.profile(step.types)
		raw := rawOf(t, want)
		want = kept(t, want)
		for i, d := range []*Decoder{shared, own} {
			p, err := d.DecodeBytes(step.name, raw)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprint(step.name, []string{" shared", " own"}[i]), func(t *testing.T) { wantSame(t, viaPprof(t, p), want) })
		}
	}
}
