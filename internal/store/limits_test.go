package store

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// allocated returns how many bytes are allocated while do runs.
func allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// bombs are small bodies that ask for much memory.
func bombs(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	zeros := make([]byte, 1<<20)
	var zipped, squeezed bytes.Buffer
	zw := gzip.NewWriter(&zipped)
	sw, err := zstd.NewWriter(&squeezed)
	if err != nil {
		t.Fatal(err)
	}
	for range 64 {
		if _, err := zw.Write(zeros); err != nil {
			t.Fatal(err)
		}
		if _, err := sw.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(zw.Close(), sw.Close()); err != nil {
		t.Fatal(err)
	}
	all["gzip"], all["zstd"] = zipped.Bytes(), squeezed.Bytes()
	for _, name := range profiletest.Amplifiers() {
		var file bytes.Buffer
		if err := profiletest.Amplify(&file, name, 1<<18); err != nil {
			t.Fatal(err)
		}
		all[name] = file.Bytes()
	}
	return all
}

// A profile that asks for much memory gets little of it, is refused or kept, and leaves
// the store as it was.
func TestProfileBombs(t *testing.T) {
	const limit = 8 << 20
	s := open(t, t.TempDir(), Options{Profile: limit})
	defer s.Close()
	add(t, s, Entry{Service: "shop", Kind: Heap, Time: noon}, profiletest.NewHeap(0).Heap(5, 7, "app.f@x.go:1"))
	for name, bomb := range bombs(t) {
		var err error
		// The inflated data, the profile, the dictionary and its part, each while it grows.
		if got := allocated(func() { _, err = s.Append(t.Context(), Entry{Service: "shop"}, bomb) }); got > 24*limit {
			t.Errorf("%s: %d MiB for %d KiB: %v", name, got>>20, len(bomb)>>10, err)
		}
		if err != nil && (!errors.Is(err, ErrProfile) || strings.Contains(err.Error(), "-max-bytes")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := s.Merge(t.Context(), Query{Service: "shop", Kind: Heap, From: noon, To: noon.Add(1)})
	if err != nil || p.Total(2) != 7 {
		t.Error(err)
	}
}

// A label that changes with each profile makes a series of each. Those beyond the limit
// are refused and counted, and those that are known go on.
func TestManySeries(t *testing.T) {
	s := open(t, t.TempDir(), Options{Series: 50, Services: 3})
	defer s.Close()
	push := func(service, pod string, at time.Duration) error {
		_, err := s.Append(t.Context(), Entry{Service: service, Kind: Figures, Labels: Labels{"pod": pod},
			Time: noon.Add(at), Figures: []Figure{{"x", 1}}}, nil)
		return err
	}
	for i := range 200 {
		if err := push("shop", fmt.Sprint(i), 0); errors.Is(err, ErrMany) != (i >= 50) {
			t.Fatal(i, err)
		}
	}
	if err := push("shop", "7", time.Second); err != nil {
		t.Error("a known series:", err)
	}
	for i := range 10 {
		if err := push(fmt.Sprint("service-", i), "0", 0); errors.Is(err, ErrMany) != (i >= 2) {
			t.Error(i, err)
		}
	}
	u, err := s.Usage()
	if want := (Refusals{Series: 158}); err != nil || u.Refused != want {
		t.Error(u.Refused, err)
	}
	all, err := s.Select(t.Context(), Query{Service: "shop", From: noon, To: noon.Add(time.Minute)})
	if err != nil || len(all) != 51 {
		t.Error(len(all), err)
	}
}

// A million series that are pushed under the usual limits take neither memory nor disk
// beyond those of the limit.
func TestMillionSeries(t *testing.T) {
	pushes := 50_000
	if os.Getenv("HEAPWRIGHT_THOROUGH") != "" {
		pushes = 1_000_000
	}
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	e := Entry{Service: "shop", Kind: Figures, Time: noon, Figures: []Figure{{"x", 1}}}
	together := make([]*appending, maxTogether)
	kept := 0
	for i := 0; i < pushes; i += len(together) {
		for j := range together {
			e.Labels = Labels{"request": fmt.Sprint(i + j), "long": strings.Repeat("x", MostLabel)}
			together[j] = &appending{entry: e}
		}
		s.commit(together)
		for _, a := range together {
			if a.err == nil {
				kept++
			} else if !errors.Is(a.err, ErrMany) {
				t.Fatal(a.err)
			}
		}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	u, err := s.Usage()
	if err != nil || kept != s.opts.Series || u.Bytes > 32<<20 || m.HeapAlloc > 256<<20 {
		t.Errorf("%d are kept in %d MiB, with %d MiB of memory: %v", kept, u.Bytes>>20, m.HeapAlloc>>20, err)
	}
}

func TestAbsurdProfiles(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	long := strings.Repeat("x", 300)
	labels := Labels{}
	for i := range 40 {
		labels[fmt.Sprint(i)] = "y"
	}
	plain := packedProfile(t, profiletest.NewHeap(0).Heap(1, 1, "app.f@x.go:1"))
	var types []string
	for i := range 40 {
		types = append(types, fmt.Sprintf("t%d/count", i))
	}
	chatty := profiletest.NewHeap(0).Heap(1, 1, "app.f@x.go:1")
	chatty.Comments = []string{strings.Repeat(long, 300)}
	for name, c := range map[string]struct {
		e    Entry
		data []byte
		want error
	}{
		"service":   {Entry{Service: long}, plain, ErrLabels},
		"none":      {Entry{}, plain, ErrLabels},
		"zero":      {Entry{Service: "a\x00b"}, plain, ErrLabels},
		"kind":      {Entry{Service: "shop", Kind: long}, plain, ErrLabels},
		"labels":    {Entry{Service: "shop", Labels: labels}, plain, ErrLabels},
		"name":      {Entry{Service: "shop", Labels: Labels{long: ""}}, plain, ErrLabels},
		"value":     {Entry{Service: "shop", Labels: Labels{"x": long}}, plain, ErrLabels},
		"types":     {Entry{Service: "shop"}, packedProfile(t, profiletest.New(types...)), ErrProfile},
		"type":      {Entry{Service: "shop", Kind: "x"}, packedProfile(t, profiletest.New(long+"/count")), ErrProfile},
		"type kind": {Entry{Service: "shop"}, packedProfile(t, profiletest.New(long+"/count")), ErrLabels},
		"comments":  {Entry{Service: "shop", Time: noon}, packedProfile(t, chatty), ErrProfile},
		"no data":   {Entry{Service: "shop"}, []byte{}, ErrProfile},
		"future":    {Entry{Service: "shop", Time: noon.Add(time.Hour)}, plain, ErrTime},
	} {
		if _, err := s.Append(t.Context(), c.e, c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if services, err := s.Services(t.Context(), noon.Add(-time.Hour), noon); err != nil || len(services) != 0 {
		t.Error(services, err)
	}
}

// Profiles whose stacks are all new fill one dictionary after the other. All come back,
// also when the store has to read the dictionaries.
func TestFullDictionaries(t *testing.T) {
	dir := t.TempDir()
	opts := Options{Profile: 2 << 20}
	s := open(t, dir, opts)
	const profiles, stacks = 12, 2000
	for i := range profiles {
		p := profiletest.NewHeap(0)
		for j := range stacks {
			p.Heap(1, int64(i+1), fmt.Sprintf("app.function%d_%d@a/rather/long/path/of/a/file%d.go:%d main.main@m.go:1", i, j, i, j))
		}
		add(t, s, Entry{Service: "shop", Time: noon.Add(time.Duration(i-profiles) * time.Second)}, p)
	}
	for range 2 {
		all, err := s.Select(t.Context(), Query{Service: "shop", From: noon.Add(-time.Hour), To: noon})
		if err != nil || len(all) != profiles {
			t.Fatal(len(all), err)
		}
		if all[profiles-1].gen == 0 {
			t.Error("one dictionary had room for all: the test proves nothing")
		}
		for i, e := range all {
			p, err := s.Read(t.Context(), e)
			if err != nil || p.Len() != stacks || p.Total(2) != int64(stacks*(i+1)) {
				t.Fatal(i, err)
			}
		}
		s.Close()
		s = open(t, dir, opts)
	}
	s.Close()
}

// A query that would take more memory than it may is refused with the remedy.
func TestLargeQueries(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	const profiles, stacks = 20, 500
	for i := range profiles {
		p := profiletest.NewHeap(0)
		for j := range stacks {
			p.Heap(1, 1, fmt.Sprintf("app.function%d@x.go:1", j))
		}
		// Each process has its own series, whose last frame a sum would like to hold.
		add(t, s, Entry{Service: "shop", Labels: Labels{"instance": fmt.Sprint(i)}, Time: noon.Add(time.Duration(i-profiles) * time.Second)}, p)
	}
	s.Close()
	q := Query{Service: "shop", Kind: Heap, From: noon.Add(-time.Hour), To: noon}
	for size, fails := range map[int64]bool{1 << 10: true, 16 << 10: true, 1 << 20: false} {
		s = open(t, dir, Options{Query: size})
		p, err := s.Merge(t.Context(), q)
		if errors.Is(err, ErrLarge) != fails || !fails && (err != nil || p.Total(2) != profiles*stacks) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if _, err := s.Select(t.Context(), q); errors.Is(err, ErrLarge) != (size == 1<<10) {
			t.Errorf("%d bytes: %v", size, err)
		}
		s.Close()
	}
}

// Reading many days holds the dictionaries of a few.
func TestDictionariesAreForgotten(t *testing.T) {
	s := open(t, t.TempDir(), Options{Memory: 1})
	defer s.Close()
	for i := range 10 {
		p := profiletest.NewHeap(0).Heap(1, 1, "app.f@x.go:1")
		add(t, s, Entry{Service: "shop", Kind: "summed", Time: noon.AddDate(0, 0, -i)}, p)
	}
	p, err := s.Merge(t.Context(), Query{Service: "shop", From: noon.AddDate(0, 0, -20), To: noon.Add(1)})
	if err != nil || p.Total(2) != 10 {
		t.Fatal(err)
	}
	held := 0
	for _, d := range s.days {
		held += len(d.blocks)
	}
	if held > 1 {
		t.Errorf("%d dictionaries are held", held)
	}
}

// Profiles of one series at one time move on, but not for ever.
func TestManyAtOneTime(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	defer s.Close()
	var wait sync.WaitGroup
	for i := range mostMoves + 50 {
		data := packedProfile(t, profiletest.NewHeap(0).Heap(1, int64(i), "app.f@x.go:1"))
		wait.Go(func() {
			_, err := s.Append(t.Context(), Entry{Service: "shop", Kind: Heap, Time: noon}, data)
			if err != nil && !errors.Is(err, ErrMany) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if u, err := s.Usage(); err != nil || u.Refused.Series != 49 {
		t.Error(u.Refused, err)
	}
}
