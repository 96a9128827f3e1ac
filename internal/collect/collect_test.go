package collect

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gpprof "github.com/google/pprof/profile"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func TestCollect(t *testing.T) {
	recordings() // outside of the bubble: recording takes real time
	synctest.Test(t, func(t *testing.T) {
		plan := start(t, newService(t))
		plan.Trace = 500 * time.Millisecond
		began := time.Now()
		doc, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != DefaultDuration {
			t.Errorf("the window was %v", took)
		}
		wantWhole(t, plan.Dir)
		stamp := regexp.MustCompile(`20000101T0000(00|15|30)Z`) // the clock of a bubble
		var got []string
		for _, name := range names(t, plan.Dir) {
			got = append(got, stamp.ReplaceAllString(name, "T$1"))
		}
		want := []string{"result.json", "shop_6060-allocs-T00.pb.gz", "shop_6060-allocs-flame-T00.html", "shop_6060-cpu-T00.pb.gz",
			"shop_6060-cpu-flame-T00.html", "shop_6060-goroutine-T00.pb.gz", "shop_6060-goroutine-T15.pb.gz",
			"shop_6060-goroutine-T30.pb.gz", "shop_6060-heap-T00.pb.gz", "shop_6060-heap-T30.pb.gz",
			"shop_6060-heap-flame-T30.html", "shop_6060-result-T00.json", "shop_6060-trace-T30.trace",
			"shop_6060-vars-T00.json", "shop_6060-vars-T30.json"}
		if !slices.Equal(got, want) {
			t.Errorf("files:\ngot  %q\nwant %q", got, want)
		}
		loaded, err := Load(filepath.Join(plan.Dir, DocumentFile))
		if err != nil {
			t.Fatal(err)
		}
		if len(loaded.Paths(plan.Dir, "heap")) != 2 || loaded.WindowSeconds != 30 {
			t.Errorf("the document came back as %+v", loaded)
		}
		for _, m := range doc.Missing { // mutex is off, block and goroutineleak are not served: nothing has failed
			if m.Failed {
				t.Errorf("%+v", m)
			}
		}
		if len(doc.Missing) != 3 {
			t.Errorf("missing: %+v", doc.Missing)
		}
		checkFigures(t, doc)
	})
}

// checkFigures holds the document against google/pprof's reading of the files.
func checkFigures(t *testing.T, doc *Document) {
	t.Helper()
	r := recordings()
	sums := [2]map[string]int64{}
	for i, file := range r.heaps {
		p, err := gpprof.ParseData(file)
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = map[string]int64{}
		for _, s := range p.Sample {
			for c, v := range s.Value {
				sums[i][p.SampleType[c].Type] += v
			}
		}
	}
	for column, got := range map[string]*int64{
		"alloc_space": doc.AllocSpace, "alloc_objects": doc.AllocObjects, "inuse_space": doc.InuseSpace, "inuse_objects": doc.InuseObjects,
	} {
		want := sums[1][column]
		if strings.HasPrefix(column, "alloc") {
			want -= sums[0][column]
		}
		if got == nil || *got != want {
			t.Errorf("%s: got %v, want %d", column, got, want)
		}
	}
	if *doc.AllocSpace < 20*100*64<<10/2 {
		t.Errorf("%d bytes were allocated", *doc.AllocSpace)
	}
	w := doc.GC.Window
	if w == nil || w.Cycles != 10 || w.PauseSeconds != 0.01 || w.LongestPause != 0.005 || w.AllocBytes != 10_000 {
		t.Errorf("GC: %+v", w)
	}
	if doc.RSS == nil || *doc.RSS != 25571328 {
		t.Errorf("resident: %v", doc.RSS)
	}
	if doc.Build.GoVersion != NotKnown || doc.Build.Binary == NotKnown {
		t.Errorf("build: %+v", doc.Build)
	}
	if doc.Ceiling == nil || doc.Ceiling.High <= 0 || doc.Ceiling.High > 1 ||
		doc.Ceiling.Low > doc.Ceiling.High || doc.Ceiling.Sampled <= 0 {
		t.Errorf("ceiling: %+v", doc.Ceiling)
	}
}

// A real service over TCP, as users run it.
func TestCollectFromNetHTTPPprof(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/admin/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
		http.StripPrefix("/admin", http.HandlerFunc(pprof.Index)).ServeHTTP(w, r)
	})
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux.Handle("/admin/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/admin/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/admin/debug/pprof/trace", pprof.Trace)
	srv := httptest.NewServer(mux)
	defer srv.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var load sync.WaitGroup
	load.Go(func() {
		for ctx.Err() == nil {
			waste()
		}
	})
	defer load.Wait()
	defer cancel()
	dir := t.TempDir()
	doc, err := Run(ctx, Plan{
		URL: srv.URL + "/admin/debug/pprof/heap", Service: "../my service", Dir: dir, Duration: time.Second,
		Trace: 10 * time.Millisecond, GC: Always,
	})
	if err != nil {
		t.Fatal(err)
	}
	wantWhole(t, dir)
	for _, typ := range []string{"cpu", "heap", "allocs", "goroutine", "trace"} {
		for _, path := range doc.Paths(dir, typ) {
			if !strings.HasPrefix(filepath.Base(path), "_my_service-"+typ+"-") {
				t.Errorf("%s", path)
			}
		}
		if doc.Paths(dir, typ) == nil {
			t.Errorf("no %s", typ)
		}
	}
	if *doc.AllocSpace <= 0 || doc.Ceiling == nil || doc.GC == nil || doc.GC.Window == nil {
		t.Errorf("%+v", doc)
	}
	if runtime.GOOS == "linux" && (doc.RSS == nil || *doc.RSS < 1<<20) { // elsewhere the collector may know less
		t.Errorf("resident: %+v", doc)
	}
	var text bytes.Buffer
	if err := doc.Print(&text); err != nil || !strings.Contains(text.String(), "could be saved by allocating less") {
		t.Errorf("%v\n%s", err, &text)
	}
}

// Figures go by the names of a profile's columns, not by their places.
func TestColumnsInAnyOrder(t *testing.T) {
	var heaps [2][]byte
	for i, file := range recordings().heaps {
		p, err := gpprof.ParseData(file)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(p.SampleType)
		for _, s := range p.Sample {
			slices.Reverse(s.Value)
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		heaps[i] = b.Bytes()
	}
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s["/debug/pprof/heap"] = beforeAndAfter(heaps)
		plan := start(t, s)
		if _, err := Run(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		doc, err := Load(filepath.Join(plan.Dir, DocumentFile))
		if err != nil {
			t.Fatal(err)
		}
		checkFigures(t, doc) // against the profiles as they were recorded
	})
}

// A profile that net/http/pprof does not know is no mistake of the service's.
func TestUnknownProfile(t *testing.T) {
	for says, want := range map[string]string{"Unknown profile": "the service's version of Go does not have it", "404 page not found": "net/http/pprof"} {
		if got := (&statusError{code: 404, says: says}).Error(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", says, got)
		}
	}
}

// Mutex and block profiles are saved where the service records them.
func TestContention(t *testing.T) {
	recordings() // whose mutex profile is empty
	mutex, block := contention()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s["/debug/pprof/mutex"], s["/debug/pprof/block"] = send(mutex), send(block)
		plan := start(t, s)
		doc, err := Run(t.Context(), plan)
		if err != nil || len(doc.Missing) != 1 || doc.Missing[0].Type != "goroutineleak" {
			t.Fatalf("%+v, %v", doc, err)
		}
		wantWhole(t, plan.Dir)
		for _, typ := range []string{"mutex", "block"} {
			i := slices.IndexFunc(doc.Files, func(f File) bool { return f.Type == typ })
			if len(doc.Paths("", typ)) != 1 || doc.Files[i].Totals["contentions"] <= 0 || doc.Files[i].Totals["delay"] <= 0 {
				t.Errorf("%s: %+v", typ, doc.Files)
			}
		}
	})
}

func TestTwoInOneSecondKeepBoth(t *testing.T) {
	recordings()
	synctest.Test(t, func(t *testing.T) {
		plan := start(t, newService(t))
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if _, err := Run(t.Context(), plan); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		wantWhole(t, plan.Dir)
		// Of the second there may be nothing to draw: its service answers as the first's.
		fetched := slices.DeleteFunc(names(t, plan.Dir), func(name string) bool { return strings.Contains(name, "-flame-") })
		if len(fetched) != 2*10+1 {
			t.Errorf("%d files: %q", len(fetched), fetched)
		}
	})
}

func TestInterruptKeepsWhatIsComplete(t *testing.T) {
	recordings()
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s["/debug/pprof/profile"] = func(w http.ResponseWriter, r *http.Request) {
			w.Write(recordings().cpu[:10])
			<-r.Context().Done()
		}
		plan := start(t, s)
		ctx, interrupt := context.WithCancel(t.Context())
		plan.Event = func(e Event) {
			if e.Recording > 0 {
				interrupt()
			}
		}
		doc, err := Run(ctx, plan)
		if !errors.Is(err, context.Canceled) || doc == nil || doc.Stopped != "interrupted" {
			t.Fatalf("%v, %+v", err, doc)
		}
		wantWhole(t, plan.Dir)
		if len(doc.Paths("", "heap")) != 1 || len(doc.Paths("", "cpu")) != 0 || doc.AllocSpace != nil || doc.InuseSpace == nil {
			t.Errorf("%+v", doc)
		}
	})
}

func TestFolderThatCannotBe(t *testing.T) {
	recordings()
	outside := t.TempDir()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	folders := []string{"file", filepath.Join("link", "new")}
	if err := os.Symlink(outside, "link"); err != nil { // as a repository may hold
		folders = folders[:1]
	}
	for _, folder := range folders {
		synctest.Test(t, func(t *testing.T) {
			plan := start(t, newService(t))
			plan.Dir = folder
			if _, err := Run(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "-o") {
				t.Errorf("%s: %v", folder, err)
			}
		})
	}
	if made := names(t, outside); len(made) > 0 {
		t.Errorf("made outside of the folder: %q", made)
	}
}
