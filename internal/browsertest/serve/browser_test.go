package serve_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/discover"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/serve/versus"
	"github.com/heapwright/heapwright/internal/serve/view"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/tune"
	"github.com/heapwright/heapwright/internal/verdict"
)

func TestMain(m *testing.M) { browsertest.Main(m) }

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// diagnosis is a real one, of workloads/stackstore.
func diagnosis(t *testing.T) *diagnose.Document {
	t.Helper()
	data, err := os.ReadFile("../../tune/view/testdata/tune.json")
	if err != nil {
		t.Fatal(err)
	}
	d := &tune.Document{}
	if err := json.Unmarshal(data, d); err != nil {
		t.Fatal(err)
	}
	return d.Diagnosis
}

// judgement is the judgement of a service of this name.
func judgement(t *testing.T, name string) *serve.Judgement {
	return &serve.Judgement{
		Window: serve.Window{Service: name, From: noon.Add(-time.Hour), To: noon, Version: name}, Made: noon,
		Usage:     serve.Usage{Processes: 3, Versions: []string{name, "v1.4"}, Cores: 1.5, Bytes: 3 << 30, Live: 1 << 30},
		Diagnosis: diagnosis(t)}
}

// fleet is a fleet whose services, versions, targets and errors have this name.
func fleet(t *testing.T, name string) *serve.Fleet {
	f := &serve.Fleet{Tenant: name, From: noon.Add(-time.Hour), To: noon, Rates: serve.Rates{CoreHour: 0.04, GiBHour: 0.004},
		Alarms:  []serve.Alarm{{Service: name, Instance: name, Time: noon}},
		Damaged: errors.New(name),
		Sources: []discover.Status{{Source: name, Targets: 2, Err: errors.New(name), Since: noon}},
		Store: store.Usage{Bytes: 1 << 30, Days: 3, Oldest: noon, MaxAge: 31 * 24 * time.Hour, MaxBytes: 10 << 30,
			Refused: store.Refusals{Series: 7, Profiles: 1}, Unwritable: errors.New(name)},
		Origin: "http://pyroscope:4040/" + name,
		Forward: &forward.Status{Sent: 12, Err: errors.New(name), Since: noon, QueueStats: store.QueueStats{
			Values: 7, Bytes: 1 << 20, Most: 1 << 30, Oldest: noon, Lost: map[string]int64{store.Full: 3, name: 1}}}}
	for _, state := range []scrape.State{scrape.New, scrape.Up, scrape.Odd} {
		f.Targets = append(f.Targets, scrape.Status{State: state, Since: noon, Why: name, Kept: 5,
			Target: scrape.Target{URL: "http://10.0.0.7:6060/" + name, Service: name, Version: name}})
	}
	for range 3 {
		j := judgement(t, name)
		f.Services = append(f.Services, j)
		for i := range j.Diagnosis.Findings {
			f.Ranking = append(f.Ranking, serve.Rank{Service: name, At: i, Finding: &j.Diagnosis.Findings[i],
				Month: evidence.Range{Low: 10, High: 310}, Cores: evidence.Range{Low: .1, High: .4}})
		}
	}
	f.Libraries = []serve.Library{{Function: name, Module: name, File: name, Line: 3, Services: []string{name, name}, Month: evidence.Range{Low: 1, High: 9}}}
	f.Leaks = []serve.Leak{{Rank: f.Ranking[0], Goroutines: 12_000, PerMinute: 3.5}}
	f.Worse = []serve.Regression{{SideBySide: versions(name), Column: "cpu", Change: versions(name).CPU.Changes[0]}}
	f.Services[1].Diagnosis, f.Services[1].Err = nil, errors.New(name)
	return f
}

// versions are two versions with this name.
func versions(name string) *serve.SideBySide {
	c := &versus.Comparison{Column: "cpu", PerWork: true, Before: 10, After: 10, Functions: 40, Total: &versus.Change{Before: 1, After: 1.03, Low: 0.01, High: 0.05}}
	for i, v := range []verdict.Verdict{verdict.Worse, verdict.Worse, verdict.Worse, verdict.Better, verdict.Inconclusive} {
		one := &versus.Change{Function: name, File: name, Line: 7, Before: 0.1, After: 0.13, Low: 0.02, High: 0.04, Verdict: v}
		if i == 1 {
			one.Moved = name
		}
		one.Gone = i == 2
		c.Changes = append(c.Changes, one)
	}
	return &serve.SideBySide{Service: name, Before: name, After: name, From: noon.Add(-time.Hour), To: noon, CPU: c, Notes: []string{name}}
}

func TestVersions(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, browsertest.Written(t, view.Versions, versions("example.org/shop/cart.(*Cart).Add")), "true", nil)
}

func servicePage(t *testing.T, j *serve.Judgement) string {
	t.Helper()
	s := &view.Service{Judgement: j, Asked: j.Window, Rates: serve.Rates{CoreHour: 0.04, GiBHour: 0.004},
		PGO: &serve.PGO{Profiles: 12, Newest: noon, Version: j.Version, Matches: 0.97}}
	for _, name := range []string{"CPU", "memory"} {
		curve := serve.Series{Name: name, Unit: "cores"}
		for i := range 60 {
			curve.Points = append(curve.Points, serve.Point{Time: j.From.Add(time.Duration(i) * time.Minute), Value: float64(i % 7)})
		}
		s.Curves = append(s.Curves, curve)
	}
	return browsertest.Written(t, func(w io.Writer, s *view.Service) error { return s.Write(w) }, s)
}

func TestFleet(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, browsertest.Written(t, view.Fleet, fleet(t, "checkout")), "true", nil)
}

func TestService(t *testing.T) {
	browsertest.Hold(t, browsertest.Everywhere, servicePage(t, judgement(t, "checkout")), "true", func(p *browsertest.Page) {
		// A finding has an address, which other pages link to.
		browsertest.Ask[bool](p, "(location.hash = '#finding-1', true)")
		p.Await("document.querySelector('#finding-1').getBoundingClientRect().top < innerHeight")
	})
}

func TestServiceWithoutProfiles(t *testing.T) {
	j := judgement(t, "checkout")
	j.Diagnosis, j.Err = nil, store.ErrNone
	browsertest.Hold(t, browsertest.Corners, servicePage(t, j), "true", nil)
}

func TestHostileNamesInBrowser(t *testing.T) {
	name := browsertest.Hostile
	t.Run("fleet", func(t *testing.T) {
		browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.Fleet, fleet(t, name)), "true", nil)
	})
	t.Run("versions", func(t *testing.T) {
		browsertest.Hold(t, browsertest.Corners, browsertest.Written(t, view.Versions, versions(name)), "true", nil)
	})
	j := judgement(t, name)
	f := &j.Diagnosis.Findings[0]
	f.Title, f.Source, f.Function, f.File, f.Remedy = name, name, name, name, name
	j.Diagnosis.Notes = []string{name}
	t.Run("service", func(t *testing.T) {
		browsertest.Hold(t, browsertest.Corners, servicePage(t, j), "true", nil)
	})
}

// A window is chosen by dragging over a curve.
func TestBrush(t *testing.T) {
	p := browsertest.Open(t, servicePage(t, judgement(t, "checkout")), browsertest.Desktop)
	p.Await("document.readyState === 'complete'")
	browsertest.Ask[bool](p, `(() => {
		const svg = document.querySelector(".curve svg"), box = svg.getBoundingClientRect();
		svg.setPointerCapture = () => {};
		for (const [type, share] of [["pointerdown", .25], ["pointermove", .5], ["pointerup", .5]])
			svg.dispatchEvent(new PointerEvent(type, {button: 0, pointerType: "mouse", clientX: box.left + share * box.width, bubbles: true}));
		return true;
	})()`)
	p.Await(`location.search.includes("from=2026-03-04T11%3A15%3A00Z") && location.search.includes("to=2026-03-04T11%3A30%3A00Z")`)
}
