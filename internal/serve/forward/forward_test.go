package forward

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"pgregory.net/rapid"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/store"
)

// server is a Pyroscope that answers as a test says, and holds the messages that it took.
type server struct {
	store.Reader // not asked
	answer       func(ctx context.Context, services []string) error

	mu     sync.Mutex
	pushes int
	got    []string
}

func (s *server) String() string { return "http://pyroscope" }

func (s *server) Push(ctx context.Context, message []byte) error {
	services := servicesOf(message)
	s.mu.Lock()
	s.pushes++
	s.mu.Unlock()
	if s.answer != nil {
		if err := s.answer(ctx, services); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, services...)
	return nil
}

// fields returns the fields of a message that have a number.
func fields(message []byte, number protowire.Number) (all [][]byte) {
	for len(message) > 0 {
		n, _, tag := protowire.ConsumeTag(message)
		value, size := protowire.ConsumeBytes(message[tag:])
		if n == number {
			all = append(all, value)
		}
		message = message[tag+size:]
	}
	return all
}

// labelsOf returns the labels of a series.
func labelsOf(series []byte) map[string]string {
	all := map[string]string{}
	for _, pair := range fields(series, 1) {
		all[string(fields(pair, 1)[0])] = string(fields(pair, 2)[0])
	}
	return all
}

func servicesOf(message []byte) (all []string) {
	for _, series := range fields(message, 1) {
		all = append(all, labelsOf(series)["service_name"])
	}
	return all
}

func opened(t *testing.T, dir string, s *server, most int64) *Store {
	t.Helper()
	local, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	queue, err := store.OpenQueue(dir, most)
	if err != nil {
		t.Fatal(err)
	}
	return New(local, queue, s, slog.New(slog.DiscardHandler))
}

func (s *Store) end(t *testing.T) {
	t.Helper()
	if err := errors.Join(s.Close(), s.local.Close()); err != nil {
		t.Error(err)
	}
}

func packed(t *testing.T, p *profiletest.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func add(t *testing.T, s *Store, from, to int) (all []string) {
	t.Helper()
	for i := from; i < to; i++ {
		e := store.Entry{Service: fmt.Sprint("s", i), Time: time.Now()}
		if _, err := s.Append(t.Context(), e, packed(t, profiletest.NewCPU().CPU(int64(i+1), "app.f@x.go:1"))); err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Service)
	}
	return all
}

var errAway = errors.New("connection refused")

// Whatever a server does for a while, every profile arrives once afterwards, and the status
// says so meanwhile.
func TestServersThatFail(t *testing.T) {
	var inFlight atomic.Int64
	for name, c := range map[string]struct {
		fails func(ctx context.Context, services []string, since time.Duration) error
		lost  map[string]int64
	}{
		"good": {},
		"away for an hour": {fails: func(_ context.Context, _ []string, since time.Duration) error {
			if since < time.Hour {
				return errAway
			}
			return nil
		}},
		"slow": {fails: func(ctx context.Context, _ []string, since time.Duration) error {
			if since < 10*time.Minute {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}},
		"takes few at a time": {fails: func(ctx context.Context, _ []string, _ time.Duration) error {
			defer inFlight.Add(-1)
			if inFlight.Add(1) > 3 {
				return errors.New("429 Too Many Requests")
			}
			time.Sleep(time.Second) // of the bubble
			return nil
		}},
		"never takes one": {fails: func(_ context.Context, services []string, _ time.Duration) error {
			if slices.Contains(services, "s5") {
				return errors.New("429 Too Many Requests")
			}
			return nil
		}, lost: map[string]int64{Stuck: 1}},
		"fails for one": {fails: func(_ context.Context, services []string, since time.Duration) error {
			if since < time.Hour && slices.Contains(services, "s5") {
				return errors.New("500 Internal Server Error")
			}
			return nil
		}},
		"refuses one": {fails: func(_ context.Context, services []string, _ time.Duration) error {
			if slices.Contains(services, "s5") {
				return fmt.Errorf("%w: 400", ErrRefused)
			}
			return nil
		}, lost: map[string]int64{ErrRefused.Error(): 1}},
		"finds two too old": {fails: func(_ context.Context, services []string, _ time.Duration) error {
			if slices.Contains(services, "s5") || slices.Contains(services, "s8") {
				return fmt.Errorf("%w: 422", ErrTime)
			}
			return nil
		}, lost: map[string]int64{ErrTime.Error(): 2}},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			remote := &server{answer: func(ctx context.Context, services []string) error {
				if c.fails == nil {
					return nil
				}
				return c.fails(ctx, services, time.Since(begin))
			}}
			s := opened(t, t.TempDir(), remote, 1<<20)
			defer s.end(t)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan bool)
			go func() { s.Run(ctx); close(ended) }()
			want := add(t, s, 0, 10)
			time.Sleep(2 * time.Minute) // of the bubble
			if u := s.Status(); u.Values > 0 && (u.Err == nil || u.Since.IsZero() || u.Oldest.IsZero()) {
				t.Errorf("%s: %+v", name, u)
			}
			want = append(want, add(t, s, 10, 15)...)
			for i := range 5 {
				time.Sleep(time.Hour)
				want = append(want, add(t, s, 15+i, 16+i)...)
			}
			time.Sleep(time.Hour)
			cancel()
			<-ended
			u := s.Status()
			n := int64(0)
			for reason, lost := range u.Lost {
				if n += lost; c.lost[reason] != lost {
					t.Errorf("%s: %s: %d", name, reason, lost)
				}
			}
			slices.Sort(remote.got)
			want = slices.DeleteFunc(want, func(service string) bool { return c.lost != nil && !slices.Contains(remote.got, service) })
			if slices.Sort(want); !slices.Equal(remote.got, want) || int64(20-len(want)) != n || u.Values != 0 || u.Err != nil || u.Sent != int64(len(want)) {
				t.Errorf("%s: %q arrived, want %q: %+v", name, remote.got, want, u)
			}
			if remote.pushes > 2000 {
				t.Errorf("%s: %d pushes", name, remote.pushes)
			}
		})
	}
}

// While the server is away the oldest profiles are dropped beyond the size, and counted, also
// after a restart.
func TestQueueIsFull(t *testing.T) {
	dir := t.TempDir()
	remote := &server{answer: func(context.Context, []string) error { return errAway }}
	s := opened(t, dir, remote, 4<<10)
	add(t, s, 0, 100)
	s.end(t)
	remote.answer = nil
	s = opened(t, dir, remote, 4<<10)
	defer s.end(t)
	r := run{Store: s, failures: map[string]int{}}
	for sent := 1; sent > 0; {
		var err error
		if sent, _, err = r.round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	u := s.Status()
	if dropped := u.Lost[store.Full]; dropped == 0 || dropped+int64(len(remote.got)) != 100 || !slices.Contains(remote.got, "s99") {
		t.Errorf("%d dropped, %q arrived", dropped, remote.got)
	}
}

// A process counts its allocations from its start. The sum of everything that was sent is its
// growth, through restarts.
func TestGrowth(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var g growth
		total := map[string]int64{}
		sum, want, before := int64(0), int64(0), int64(0)
		for i := range rapid.IntRange(1, 10).Draw(r, "snapshots") {
			restarted := before > 0 && rapid.IntRange(0, 3).Draw(r, "restart") == 0
			p, now := profiletest.NewHeap(0), int64(0)
			for j := range 4 {
				stack := fmt.Sprintf("app.f%d@x.go:1", j)
				if restarted {
					total[stack] /= 2
				} else {
					total[stack] += rapid.Int64Range(0, 100).Draw(r, stack)
				}
				now += total[stack]
				p.Heap(total[stack], 7, stack)
			}
			data := packed(t, p)
			decoded, err := profile.NewDecoder(profile.Options{}).DecodeBytes("x", data)
			if err != nil {
				r.Fatal(err)
			}
			out, err := g.since("process", decoded, data)
			if err != nil || out.Total(2) != 4*7 {
				r.Fatal(out, err)
			}
			switch {
			case i == 0: // when its allocations were made is not known
			case restarted:
				want += now
			default:
				want += now - before
			}
			if sum += out.Total(0); sum != want {
				r.Fatalf("%d were sent, want %d", sum, want)
			}
			before = now
		}
	})
}

// Snapshots in memory are bounded; the one that was taken longest ago is dropped.
func TestHeldSnapshots(t *testing.T) {
	var g growth
	large := make([]byte, mostHeld/4)
	for i := range 6 {
		g.swap(fmt.Sprint(i), large)
	}
	if g.bytes > mostHeld || g.swap("0", large) != nil || g.swap("5", large) == nil {
		t.Error(g.bytes, len(g.held))
	}
	if g.swap("huge", make([]byte, mostHeld+1)); g.bytes > mostHeld {
		t.Error(g.bytes)
	}
}

// Labels are such that a Pyroscope takes them, and none that it needs is missing.
func TestLabels(t *testing.T) {
	got := labels(&store.Entry{Service: "shop", Kind: store.Heap, Labels: store.Labels{
		"app.kubernetes.io/name": "x", "__session_id__": "1", "7up": "y", "empty": "", "service_name": "other"}})
	want := map[string]string{"service_name": "shop", "__name__": "memory", "__delta__": "false",
		"app_kubernetes_io_name": "x", "_7up": "y"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Error(got)
	}
}

// A profile that names no period gets the usual one of its kind, and another keeps its own.
func TestPeriods(t *testing.T) {
	for want, p := range map[string]*profile.Profile{
		"goroutine/count": {SampleTypes: []profile.ValueType{{Type: "goroutine", Unit: "count"}}, Values: [][]int64{nil}},
		"a/b": {SampleTypes: []profile.ValueType{{Type: "goroutine", Unit: "count"}}, Values: [][]int64{nil},
			PeriodType: profile.ValueType{Type: "a", Unit: "b"}},
	} {
		p.Dict = new(profile.Dict)
		whole, err := message(&store.Entry{Service: "shop", Kind: store.Goroutine}, p)
		if err != nil {
			t.Fatal(err)
		}
		raw := fields(fields(fields(whole, 1)[0], 2)[0], 1)[0]
		got, err := profile.NewDecoder(profile.Options{}).DecodeBytes("x", raw)
		if err != nil || got.PeriodType.Type+"/"+got.PeriodType.Unit != want {
			t.Error(got.PeriodType, err)
		}
	}
}

// A profile that cannot be kept is refused at once, and counted; figures stay here.
func TestAppend(t *testing.T) {
	s := opened(t, t.TempDir(), &server{}, 1<<20)
	defer s.end(t)
	for want, c := range map[error]struct {
		e    store.Entry
		data []byte
	}{
		store.ErrProfile: {store.Entry{Service: "shop"}, []byte("nonsense")},
		store.ErrLabels:  {store.Entry{}, packed(t, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))},
		store.ErrTime:    {store.Entry{Service: "shop", Time: time.Now().Add(time.Hour)}, packed(t, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))},
	} {
		if _, err := s.Append(t.Context(), c.e, c.data); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if u, err := s.local.Usage(); err != nil || u.Refused.Total() != 3 || s.Status().Values != 0 {
		t.Error(u, err)
	}
	figures := store.Entry{Service: "shop", Kind: store.Figures, Time: time.Now(), Figures: []store.Figure{{Name: "rss_bytes", Value: 7}}}
	if _, err := s.Append(t.Context(), figures, nil); err != nil {
		t.Fatal(err)
	}
	all, err := s.Select(t.Context(), store.Query{Service: "shop", Kind: store.Figures, From: time.Now().Add(-time.Hour), To: time.Now().Add(time.Hour)})
	if err != nil || len(all) != 1 {
		t.Error(all, err)
	}
}

// However many targets answer at the same time, few profiles are decoded at once.
func TestDecodingTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := opened(t, t.TempDir(), &server{}, 1<<20)
		defer s.end(t)
		for range mostDecoded {
			s.turns <- struct{}{}
		}
		data := packed(t, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 10)
		for range cap(ended) {
			go func() {
				_, err := s.Append(ctx, store.Entry{Service: "shop"}, data)
				ended <- err
			}()
		}
		synctest.Wait()
		if len(ended) != 0 || s.Status().Values != 0 {
			t.Error("a profile has not waited")
		}
		<-s.turns
		for range cap(ended) - 5 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		cancel()
		for range 5 {
			<-ended
		}
	})
}
