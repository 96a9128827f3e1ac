package client

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/forward"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

var update = flag.Bool("update", false, "record the answers of the Pyroscope at PYROSCOPE_URL in testdata")

// TestContract has the answers that this package expects of a Pyroscope. It holds for the one at
// PYROSCOPE_URL, for the answers that one gave, and for this module's own server.
func TestContract(t *testing.T) {
	t.Run("ours", func(t *testing.T) {
		s, err := serve.Open(serve.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- s.Run(ctx) }()
		server := httptest.NewServer(web.New(s, web.Options{Log: slog.New(slog.DiscardHandler)}))
		defer func() {
			server.Close()
			cancel()
			if err := <-ran; err != nil {
				t.Error(err)
			}
		}()
		contract{address: server.URL, from: time.Now().Add(-5 * time.Minute).Truncate(time.Minute), old: true}.holds(t)
	})
	t.Run("recorded", func(t *testing.T) {
		if *update {
			t.Skip("it is recorded now")
		}
		r := readRecording(t)
		server := httptest.NewServer(r)
		defer server.Close()
		contract{address: server.URL, from: time.Unix(r.From, 0)}.holds(t)
	})
	t.Run("real", func(t *testing.T) {
		address := os.Getenv("PYROSCOPE_URL")
		if address == "" {
			t.Skip("set PYROSCOPE_URL to the address of a Pyroscope that may take some profiles")
		}
		r := &recording{From: time.Now().Add(-5 * time.Minute).Unix(), at: strings.TrimSuffix(address, "/")}
		server := httptest.NewServer(r)
		defer server.Close()
		contract{address: server.URL, from: time.Unix(r.From, 0), late: true}.holds(t)
		if *update && !t.Failed() {
			r.write(t)
		}
	})
}

// contract is a server, and a minute in which it gets profiles.
type contract struct {
	address string
	from    time.Time
	late    bool // it may show profiles a while after it has taken them
	old     bool // it takes profiles of yesterday
}

// service is unique, because a real server may have taken the profiles of an earlier test.
func (c contract) service() string { return fmt.Sprint("heapwright-contract-", c.from.Unix()) }

func (c contract) holds(t *testing.T) {
	s := NewStore(c.address+"/", Auth{})
	c.push(t, s)
	q := store.Query{Service: c.service(), From: c.from.Add(-time.Minute), To: c.from.Add(2 * time.Minute)}
	c.settle(t, s, q)

	services, err := s.Services(t.Context(), q.From, q.To)
	if err != nil || !slices.Contains(services, q.Service) {
		t.Errorf("services: %q %v", services, err)
	}
	if first, last, err := s.Span(t.Context()); err != nil || first.IsZero() || last.Before(first) {
		t.Error("span:", first, last, err)
	}
	for _, want := range []struct {
		kind, version string
		totals        []int64 // of each column
	}{
		{store.CPU, "", []int64{9, 90e6}}, // 3 × (1+2) samples
		{store.CPU, "v2", []int64{6, 60e6}},
		{store.Heap, "", []int64{400, 400 * 64, 20, 20 * 64}}, // both grow by 100 twice, and hold 10
		{store.Heap, "v1", []int64{200, 200 * 64, 10, 10 * 64}},
		{store.Goroutine, "", []int64{7}},
	} {
		q := q
		if q.Kind = want.kind; want.version != "" {
			q.Labels = store.Labels{"version": want.version}
		}
		p, err := s.Merge(t.Context(), q)
		if err != nil {
			t.Errorf("%s: %v", want.kind, err)
		} else if got := totals(p); !slices.Equal(got, want.totals) {
			t.Errorf("%s %s: %v, want %v of %v", want.kind, want.version, got, want.totals, p.SampleTypes)
		}
	}
	c.entries(t, s, q)
	c.files(t)
	c.long(t, s, q)
	q.Service = "heapwright-nobody"
	if _, err := s.Merge(t.Context(), store.Query{Service: q.Service, Kind: store.CPU, From: q.From, To: q.To}); !errors.Is(err, store.ErrNone) {
		t.Error("nobody:", err)
	}
	if all, err := s.Select(t.Context(), q); err != nil || len(all) != 0 {
		t.Error("nobody:", all, err)
	}
}

// long asks about more than a day, which a Pyroscope refuses to answer at once.
func (c contract) long(t *testing.T, s *Store, q store.Query) {
	q.From, q.Kind = q.From.Add(-60*time.Hour), store.CPU
	want := int64(9)
	if c.old {
		want++
	}
	if p, err := s.Merge(t.Context(), q); err != nil || p.Total(0) != want {
		t.Error("over three days:", p, err)
	}
	all, err := s.Select(t.Context(), q)
	sum := int64(0)
	for i := range all {
		v, _ := all[i].Figure("samples")
		sum += v
	}
	if err != nil || sum != want {
		t.Error("over three days:", sum, err)
	}
	if services, err := s.Services(t.Context(), q.From, q.To); err != nil || !slices.Contains(services, q.Service) {
		t.Error("over three days:", services, err)
	}
}

func totals(p *profile.Profile) (all []int64) {
	for t := range p.SampleTypes {
		all = append(all, p.Total(t))
	}
	return all
}

// push sends the profiles of two processes as serve forwards them, and two that are refused.
func (c contract) push(t *testing.T, s *Store) {
	now := func() time.Time { return c.from.Add(5 * time.Minute) }
	local, err := store.Open(t.TempDir(), store.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	queue, err := store.OpenQueue(t.TempDir(), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	f := forward.New(local, queue, s, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { f.Run(ctx); close(ended) }()
	defer func() {
		cancel()
		<-ended
		if err := errors.Join(f.Close(), local.Close()); err != nil {
			t.Error(err)
		}
	}()
	send := func(at time.Time, labels store.Labels, p *profiletest.Profile) {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Append(ctx, store.Entry{Service: c.service(), Labels: labels, Time: at}, b.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	for process, labels := range []store.Labels{
		{"instance": "a", "version": "v1", "app.kubernetes.io/name": "shop"}, {"instance": "b", "version": "v2"},
	} {
		for i := range 3 {
			at := c.from.Add(time.Duration(15*i) * time.Second)
			send(at, labels, profiletest.NewCPU().CPU(int64(process+1), stack))
			send(at, labels, profiletest.NewHeap(0).Heap(int64(1000+100*i), 10, stack))
			send(at, labels, profiletest.New("goroutine/count").Add(stack, int64(3+process)))
		}
	}
	send(c.from.Add(-24*time.Hour), store.Labels{"instance": "old"}, profiletest.NewCPU().CPU(1, stack))
	many := store.Labels{"instance": "many"}
	for i := range 29 {
		many[fmt.Sprint("label", i)] = "x"
	}
	send(c.from, many, profiletest.NewCPU().CPU(1, stack))
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for f.Status().Values > 0 {
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("profiles wait:", f.Status())
		}
	}
	sent, old := int64(18), int64(1)
	if c.old {
		sent, old = 19, 0
	}
	u := f.Status()
	if u.Sent != sent || u.Lost[forward.ErrTime.Error()] != old || u.Lost[forward.ErrRefused.Error()] != 1 {
		t.Errorf("%+v", u)
	}
}

// settle waits until a server shows the profile that it took last. Pyroscope lists a new service
// only when it has joined the blocks of the first minute.
func (c contract) settle(t *testing.T, s *Store, q store.Query) {
	if !c.late {
		return
	}
	q.Kind = store.CPU
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for range 300 {
		p, err := s.Merge(t.Context(), q)
		services, also := s.Services(t.Context(), q.From, q.To)
		if err == nil && also == nil && p.Total(0) == 9 && slices.Contains(services, q.Service) {
			return
		}
		<-tick.C
	}
	t.Error("the profiles are not shown after 150 s")
}

// entries checks the profiles of each process.
func (c contract) entries(t *testing.T, s *Store, q store.Query) {
	all, err := s.Select(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	for _, e := range all {
		name := e.Kind + " " + e.Labels["instance"] + " " + e.Labels["version"]
		for _, f := range e.Figures {
			sums[name+" "+f.Name] += f.Value
		}
		sums[name]++
	}
	for name, want := range map[string]int64{
		"cpu a v1": 3, "cpu a v1 samples": 3, "cpu b v2 cpu": 60e6,
		"heap a v1": 3, "heap a v1 alloc_objects": 200, "heap b v2 inuse_space": 3 * 10 * 64,
		"goroutine b v2": 3, "goroutine b v2 goroutine": 12,
	} {
		if sums[name] != want {
			t.Errorf("%s: %d, want %d", name, sums[name], want)
		}
	}
	at := slices.IndexFunc(all, func(e store.Entry) bool { return e.Kind == store.Heap && e.Labels["instance"] == "b" })
	if at < 0 {
		return
	}
	if p, err := s.Read(t.Context(), all[at]); err != nil || p.Total(2) != 10 {
		t.Error(p, err)
	}
}

// files checks the profiles that the commands read.
func (c contract) files(t *testing.T) {
	q := Query{Service: c.service(), From: fmt.Sprint(c.from.Add(-time.Minute).Unix()), To: fmt.Sprint(c.from.Add(2 * time.Minute).Unix())}
	dir, source := t.TempDir(), pyroscopePrefix+c.address
	if err := Window(t.Context(), source, q, dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]int64{
		"00-cpu.pb": {9, 90e6}, "01-allocs.pb": {400, 400 * 64, 0, 0},
		"02-heap.pb": {400, 400 * 64, 20, 20 * 64}, "03-goroutine.pb": {7},
	} {
		if p := read(t, filepath.Join(dir, name)); !slices.Equal(totals(p), want) {
			t.Errorf("%s: %v, want %v", name, totals(p), want)
		}
	}
	file := filepath.Join(dir, "one.pb.gz")
	q.Version = "v2"
	if err := Profile(t.Context(), source, "cpu", q, file); err != nil {
		t.Fatal(err)
	}
	p := read(t, file)
	line := ""
	for f := range p.Dict.Frames(p.Stacks[0]) {
		line += p.Dict.FrameName(f) + " "
	}
	if p.Total(0) != 6 || line != "app.work main.main " {
		t.Errorf("%v of %q", totals(p), line)
	}
	q.Version = "v3"
	if err := Profile(t.Context(), source, "cpu", q, file); err == nil || !strings.Contains(err.Error(), "no profile of") {
		t.Error("of a version that is not there:", err)
	}
}
