package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"pgregory.net/rapid"
)

// noon is the time of the tests, in the middle of a day.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, dir string, opts Options) *Local {
	t.Helper()
	if opts.Now == nil {
		opts.Now = func() time.Time { return noon }
	}
	s, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// packedProfile is a profile as services send it.
func packedProfile(t testing.TB, p *profiletest.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func add(t testing.TB, s *Local, e Entry, p *profiletest.Profile) Entry {
	t.Helper()
	kept, err := s.Append(t.Context(), e, packedProfile(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// samples returns a profile's samples by stack, as text.
func samples(p *profile.Profile) map[string]string {
	all := map[string][]int64{}
	for i, stack := range p.Stacks {
		var names []string
		for f := range p.Dict.Frames(stack) {
			names = append(names, fmt.Sprint(p.Dict.FrameName(f), ":", f.Line.Line))
		}
		key := strings.Join(names, " ")
		if all[key] == nil {
			all[key] = make([]int64, len(p.Values))
		}
		for t := range p.Values {
			all[key][t] += p.Values[t][i]
		}
	}
	text := map[string]string{}
	for key, values := range all {
		text[key] = fmt.Sprint(values)
	}
	return text
}

// A profile that was appended is read again, whatever profiles came before, whether the store was
// closed and opened in between, and whether it had to forget its dictionaries.
func TestProfilesComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		dir := t.TempDir()
		opts := Options{Memory: rapid.SampledFrom([]int64{1, 1 << 20, 1 << 30}).Draw(r, "memory")}
		s := open(t, dir, opts)
		defer func() { s.Close() }()
		type kept struct {
			entry Entry
			want  map[string]string
		}
		var all []kept
		for i := range rapid.IntRange(1, 60).Draw(r, "profiles") {
			p := profiletest.NewHeap(0)
			for range rapid.IntRange(0, 5).Draw(r, "samples") {
				stack := fmt.Sprintf("app.f%d@x.go:1%s", rapid.IntRange(0, 9).Draw(r, "stack"), profiletest.Main)
				p.Add(stack, rapid.Int64Range(0, 9).Draw(r, "a"), rapid.Int64().Draw(r, "b"), 1, 2)
			}
			data := packedProfile(t, p)
			e := Entry{Service: rapid.SampledFrom([]string{"a", "b"}).Draw(r, "service"),
				Labels: Labels{"instance": rapid.SampledFrom([]string{"1", "2"}).Draw(r, "instance")},
				Time:   noon.Add(time.Duration(rapid.IntRange(-90, 1).Draw(r, "hour"))*time.Hour*3/20 + time.Duration(i))}
			e, err := s.Append(context.Background(), e, data)
			if err != nil {
				r.Fatal(err)
			}
			decoded, err := profile.NewDecoder(profile.Options{}).DecodeBytes("x", data)
			if err != nil {
				r.Fatal(err)
			}
			all = append(all, kept{e, samples(decoded)})
			if rapid.IntRange(0, 9).Draw(r, "restart") == 0 {
				if err := s.Close(); err != nil {
					r.Fatal(err)
				}
				s = open(t, dir, opts)
			}
		}
		for _, k := range all {
			p, err := s.Read(context.Background(), k.entry)
			if err != nil {
				r.Fatal(err)
			}
			if diff := cmp.Diff(k.want, samples(p)); diff != "" {
				r.Fatal(diff)
			}
		}
		n := 0
		for _, service := range []string{"a", "b"} {
			found, err := s.Select(context.Background(), Query{Service: service, From: noon.Add(-24 * time.Hour), To: noon.Add(time.Hour)})
			if err != nil {
				r.Fatal(err)
			}
			n += len(found)
		}
		if n != len(all) {
			r.Fatalf("%d entries of %d", n, len(all))
		}
	})
}

// Processes that start together take profiles at the same, rounded time.
func TestOneTimeManyProfiles(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	e := Entry{Service: "shop", Time: noon}
	for n := range int64(3) {
		add(t, s, e, profiletest.NewCPU().CPU(n+1, "app.work@x.go:1"))
	}
	add(t, s, e, profiletest.NewCPU().CPU(2, "app.work@x.go:1")) // repeated: its answer was lost
	all, err := s.Select(t.Context(), Query{Service: "shop", From: noon, To: noon.Add(time.Minute)})
	if err != nil || len(all) != 3 {
		t.Fatal(len(all), err)
	}
	if all[0].Kind != CPU || all[0].Figures[0] != (Figure{"samples", 1}) {
		t.Errorf("%+v", all[0])
	}
}

func TestMerge(t *testing.T) {
	at := func(hours int) time.Time { return noon.Add(time.Duration(hours) * time.Hour) }
	const leak = "app.leak@x.go:1"
	heap := func(allocated, alive int64) *profiletest.Profile {
		return profiletest.NewHeap(0).Heap(allocated, alive, leak)
	}
	one, two := Labels{"instance": "1"}, Labels{"instance": "2"}
	for name, c := range map[string]struct {
		add  func(s *Local)
		kind string
		want string
	}{
		"cpu": {func(s *Local) {
			for i := range 3 {
				add(t, s, Entry{Service: "shop", Labels: one, Time: at(-i)}, profiletest.NewCPU().CPU(10, leak))
			}
		}, CPU, "[30 300000000]"},
		"snapshots": {func(s *Local) {
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-3)}, heap(100, 10))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-2)}, heap(150, 20))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-1)}, heap(170, 30))
		}, Heap, "[70 4480 30 1920]"},
		"two processes": {func(s *Local) {
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-3)}, heap(100, 10))
			add(t, s, Entry{Service: "shop", Labels: two, Time: at(-3)}, heap(100, 10))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-1)}, heap(101, 5))
			add(t, s, Entry{Service: "shop", Labels: two, Time: at(-1)}, heap(102, 6))
		}, Heap, "[3 192 11 704]"},
		"a restart": {func(s *Local) {
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-4)}, heap(100, 10))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-3)}, heap(105, 20))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-2)}, heap(7, 1))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-1)}, heap(9, 2))
		}, Heap, "[14 896 2 128]"},
		"deltas": {func(s *Local) {
			for i := range 3 {
				add(t, s, Entry{Service: "shop", Kind: HeapDelta, Labels: one, Time: at(-3 + i)}, heap(10, int64(20+i)))
			}
		}, Heap, "[30 1920 22 1408]"},
		"over midnight": {func(s *Local) {
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-14)}, heap(100, 10))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-13)}, heap(110, 20))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-11)}, heap(120, 30))
			add(t, s, Entry{Service: "shop", Labels: one, Time: at(-10)}, heap(130, 40))
		}, Heap, "[30 1920 40 2560]"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), Options{})
			defer s.Close()
			c.add(s)
			p, err := s.Merge(t.Context(), Query{Service: "shop", Kind: c.kind, From: at(-24), To: at(1)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{"app.leak:1": c.want}, samples(p)); diff != "" {
				t.Error(diff)
			}
		})
	}
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	if _, err := s.Merge(t.Context(), Query{Service: "shop", Kind: CPU, From: at(-1), To: at(1)}); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

func TestLabelsAndServices(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	for i, version := range []string{"v1", "v2", "v2"} {
		labels := Labels{"version": version, "instance": fmt.Sprint(i)}
		add(t, s, Entry{Service: "shop", Labels: labels, Time: noon}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	}
	if _, err := s.Append(t.Context(), Entry{Service: "pay", Kind: Figures, Time: noon, Figures: []Figure{{"rss_bytes", 7}}}, nil); err != nil {
		t.Fatal(err)
	}
	q := Query{Service: "shop", From: noon, To: noon.Add(1), Labels: Labels{"version": "v2"}}
	if all, err := s.Select(t.Context(), q); err != nil || len(all) != 2 || !maps.Equal(all[0].Labels, Labels{"version": "v2", "instance": "1"}) {
		t.Error(all, err)
	}
	q = Query{Service: "pay", From: noon, To: noon.Add(1)}
	if all, err := s.Select(t.Context(), q); err != nil || len(all) != 1 || all[0].Figures[0].Value != 7 || all[0].Size != 0 {
		t.Error(all, err)
	}
	if all, err := s.Services(t.Context(), noon, noon); err != nil || !cmp.Equal(all, []string{"pay", "shop"}) {
		t.Error(all, err)
	}
}

func TestTimesThatAreRefused(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	data := packedProfile(t, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	for hours, refused := range map[int]bool{-24 * 40: true, -24 * 30: false, 0: false, 1: true} {
		_, err := s.Append(t.Context(), Entry{Service: "shop", Time: noon.Add(time.Duration(hours) * time.Hour)}, data)
		if errors.Is(err, ErrTime) != refused {
			t.Errorf("%d h: %v", hours, err)
		}
	}
	for _, bad := range [][]byte{{}, []byte("nonsense"), data[:len(data)/2]} {
		if _, err := s.Append(t.Context(), Entry{Service: "shop"}, bad); err == nil {
			t.Errorf("%d bytes of nonsense are kept", len(bad))
		}
	}
	if _, err := s.Append(t.Context(), Entry{Service: "shop", Time: noon}, data); err != nil {
		t.Errorf("after nonsense: %v", err)
	}
}

func TestRetention(t *testing.T) {
	dir := t.TempDir()
	now := noon
	s := open(t, dir, Options{Now: func() time.Time { return now }})
	for day := range 5 {
		add(t, s, Entry{Service: "shop", Time: noon.AddDate(0, 0, -day)}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	}
	now = noon.AddDate(0, 0, 28)
	if removed, err := s.Retain(); err != nil || !cmp.Equal(removed, []string{"2026-02-28.db"}) {
		t.Error(removed, err)
	}
	s.Close()
	s = open(t, dir, Options{MaxBytes: 1})
	defer s.Close()
	if removed, err := s.Retain(); err != nil || len(removed) != 3 {
		t.Error(removed, err)
	}
	if u, err := s.Usage(); err != nil || u.Days != 1 || u.Bytes == 0 || u.Oldest.Format(dayLayout) != "2026-03-04" {
		t.Error(u, err)
	}
}
