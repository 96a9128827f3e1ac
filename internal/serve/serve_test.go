package serve

import (
	"bytes"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func opened(t *testing.T) *Server {
	t.Helper()
	s, err := Open(Options{Dir: t.TempDir(), Store: store.Options{Now: func() time.Time { return noon }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.local.Close() })
	return s
}

func keep(t *testing.T, s *Server, e store.Entry, p *profiletest.Profile) {
	t.Helper()
	var data []byte
	if p != nil {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		data = b.Bytes()
	}
	if _, err := s.Append(t.Context(), e, data); err != nil {
		t.Fatal(err)
	}
}

const planted = profiletest.Malloc + "fmt.Sprintf@/go/src/fmt/print.go:1 example.org/shop.key@/src/shop/key.go:7" + profiletest.Main

// Two versions of a service run: it is judged by the newest, and its usage counts both.
func TestJudge(t *testing.T) {
	s := opened(t)
	for minute := range 10 {
		at := noon.Add(time.Duration(minute-10) * time.Minute)
		for _, version := range []string{"v1", "v2"} {
			labels := store.Labels{"instance": "of " + version, "version": version}
			cpu := profiletest.NewCPU().CPU(50, planted).CPU(50, "example.org/shop.work@/src/shop/work.go:3"+profiletest.Main)
			cpu.DurationNanos = 10e9
			keep(t, s, store.Entry{Service: "shop", Time: at, Labels: labels}, cpu)
			allocated := int64(minute+1) << 24
			keep(t, s, store.Entry{Service: "shop", Time: at, Labels: labels}, profiletest.NewHeap(0).Heap(allocated, 100, planted))
		}
	}
	j := s.Judge(t.Context(), Window{Service: "shop", From: noon.Add(-time.Hour), To: noon})
	if j.Err != nil {
		t.Fatal(j.Err)
	}
	if j.Version != "v2" || j.Usage.Processes != 2 || len(j.Usage.Versions) != 2 {
		t.Errorf("%+v", j.Usage)
	}
	if j.Usage.Cores < 0.19 || j.Usage.Cores > 0.21 {
		t.Errorf("%v cores of two processes that each take 1 s in 10 s", j.Usage.Cores)
	}
	if len(j.Diagnosis.Findings) == 0 || j.Diagnosis.Findings[0].Function != "example.org/shop.key" {
		t.Errorf("%+v", j.Diagnosis.Findings)
	}
	if j := s.Judge(t.Context(), Window{Service: "nobody", From: noon.Add(-time.Hour), To: noon}); j.Err == nil {
		t.Error("a service without profiles is judged")
	}
	curves, err := s.Series(t.Context(), Window{Service: "shop", From: noon.Add(-10 * time.Minute), To: noon})
	if err != nil || len(curves) != 2 || curves[0].Name != "CPU" || curves[0].Points[3].Value != 0.2 {
		t.Error(curves, err)
	}
}

func TestUsageDoesNotCountADeploymentTwice(t *testing.T) {
	var entries []store.Entry
	for minute := range 21 {
		instance := "old"
		if minute > 10 {
			instance = "new"
		}
		entries = append(entries, store.Entry{Kind: store.Figures, Labels: store.Labels{"instance": instance}, Time: noon.Add(time.Duration(minute) * time.Minute),
			Figures: []store.Figure{{Name: scrape.RSS, Value: 1000}, {Name: scrape.CPUTime, Value: int64(minute) * int64(time.Minute)}}})
	}
	u := usageOf(entries)
	if u.Processes != 1 || u.Bytes < 900 || u.Bytes > 1000 || u.Cores < 0.9 || u.Cores > 1 {
		t.Errorf("%+v", u)
	}
}

func TestRank(t *testing.T) {
	j := &Judgement{Window: Window{Service: "shop"}, Usage: Usage{Cores: 10, Bytes: 8 << 30, Live: 2 << 30},
		Diagnosis: &diagnose.Document{Findings: []rules.Finding{
			{Title: "memory", Memory: evidence.Range{Low: 0.25, High: 0.5}},
			{Title: "CPU", CPU: evidence.Range{Low: 0.1, High: 0.2}},
		}}}
	all := rank(j, Rates{CoreHour: 1, GiBHour: 0.1})
	byCost(all)
	if all[0].Finding.Title != "CPU" || all[0].At != 1 || all[0].Month != (evidence.Range{Low: 730, High: 1460}) {
		t.Errorf("%+v", all[0])
	}
	if memory := all[1].Month; memory != (evidence.Range{Low: 730 * 0.1 * 0.5, High: 730 * 0.1 * 2}) {
		t.Errorf("%+v", memory)
	}
}
