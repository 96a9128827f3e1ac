package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"go.etcd.io/bbolt"
)

// A day that is rewritten has the same sums, the same evidence, and fewer entries.
func TestCoarsen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir, Options{})
	const minutes = 60
	from := noon.AddDate(0, 0, -4)
	allocated := int64(0)
	for i := range 4 * minutes {
		if i == 130 { // it restarts in the middle of a window
			allocated = 0
		}
		at := from.Add(time.Duration(i) * 15 * time.Second)
		for _, version := range []string{"v1", "v2"} {
			labels := Labels{"instance": "1", "version": version}
			allocated += int64(10 + i%3)
			add(t, s, Entry{Service: "shop", Time: at, Labels: labels, Evidence: i == 77}, profiletest.NewHeap(0).Heap(allocated, int64(100+i), "app.f@x.go:1"))
			add(t, s, Entry{Service: "shop", Kind: HeapDelta, Time: at, Labels: labels}, profiletest.NewHeap(0).Heap(int64(10+i%3), int64(100+i), "app.g@x.go:2"))
			cpu := profiletest.NewCPU().CPU(int64(1+i%2), "app.f@x.go:1").CPU(1, "app.once@x.go:3")
			cpu.DurationNanos = 1e9
			add(t, s, Entry{Service: "shop", Time: at, Labels: labels}, cpu)
			if _, err := s.Append(t.Context(), Entry{Service: "shop", Kind: Figures, Time: at, Labels: labels, Figures: []Figure{{"rss_bytes", int64(i)}}}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(t, s, Entry{Service: "shop", Time: noon}, profiletest.NewHeap(0).Heap(1, 1, "app.f@x.go:1"))
	q := Query{Service: "shop", From: from, To: from.Add(minutes * time.Minute)}
	type state struct {
		sums                     map[string]map[string]string
		entries, evidence, bytes int
		recorded                 time.Duration
	}
	look := func() (st state) {
		st.sums = map[string]map[string]string{}
		for _, kind := range []string{CPU, Heap, HeapDelta} {
			q.Match = func(k string, _ Labels) bool { return k == kind }
			p, err := s.Merge(t.Context(), q)
			if err != nil {
				t.Fatal(kind, err)
			}
			st.sums[kind] = samples(p)
		}
		q.Match = nil
		all, err := s.Select(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			st.entries++
			st.bytes += e.Size
			st.recorded += e.Duration
			if e.Evidence {
				st.evidence++
			}
		}
		return st
	}
	before := look()
	done, err := s.Coarsen(t.Context())
	if err != nil || !cmp.Equal(done, []string{dayName(from)}) {
		t.Fatal(done, err)
	}
	for range 2 {
		after := look()
		if diff := cmp.Diff(before.sums, after.sums); diff != "" {
			t.Error(diff)
		}
		if after.evidence != 2 || after.recorded != before.recorded || after.entries*10 > before.entries || after.bytes*5 > before.bytes {
			t.Errorf("before %+v, after %+v", before, after)
		}
		s.Close()
		s = open(t, dir, Options{})
	}
	if done, err := s.Coarsen(t.Context()); len(done) != 0 || err != nil {
		t.Error("it is rewritten again:", done, err)
	}
	add(t, s, Entry{Service: "shop", Time: from.Add(time.Hour)}, profiletest.NewCPU().CPU(1, "app.new@x.go:9"))
	s.Close()
	if left, _ := filepath.Glob(filepath.Join(dir, "*"+rewritten)); len(left) != 0 {
		t.Error(left)
	}
}

// A day that is written to while it is rewritten stays as it is.
func TestCoarsenLeavesADayThatChanged(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	from := noon.AddDate(0, 0, -4)
	add(t, s, Entry{Service: "shop", Time: from}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	d := s.days[dayName(from)]
	version := 0
	if err := d.view(func(tx *bbolt.Tx) error { version = tx.ID(); return nil }); err != nil {
		t.Fatal(err)
	}
	add(t, s, Entry{Service: "shop", Time: from.Add(time.Second)}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	if ok, err := s.replace(d, filepath.Join(s.dir, "missing"), version); ok || err != nil {
		t.Error(ok, err)
	}
	p, err := s.Merge(t.Context(), Query{Service: "shop", Kind: CPU, From: from, To: noon})
	if err != nil || p.Total(0) != 2 {
		t.Error(err)
	}
}
