package trace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime/trace"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/trace/tracetest"
)

// storm is a trace of bench/trace/storm.txtar.
func storm(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/storm.trace")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReadStorm(t *testing.T) {
	doc, err := Read(t.Context(), "storm.trace", bytes.NewReader(storm(t)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Format != "go 1.26" || doc.Procs != 2 || len(doc.Cycles) != 5 || doc.Assists.Count != 190 || doc.Bytes != int64(len(storm(t))) {
		t.Errorf("format %s, %d processors, %d collections, %d assists, %d bytes", doc.Format, doc.Procs, len(doc.Cycles), doc.Assists.Count, doc.Bytes)
	}
	if l := doc.Lines[0]; l.Function != "main.fresh" || !strings.HasSuffix(l.File, "bench/trace/storm/handle.go") || l.Own != nil {
		t.Errorf("%+v pays most, not main.fresh", l)
	}
	if w := doc.Waiters[0]; w.Function != "main.request" {
		t.Errorf("%+v waited most", w)
	}
	var spent, drawn int64
	for _, class := range Classes {
		spent += doc.CPU[class]
		for _, v := range doc.Timeline.CPU[class] {
			drawn += v
		}
	}
	if whole := doc.Duration * int64(doc.Procs); spent > whole || spent != drawn {
		t.Errorf("processors worked for %d ns of %d, and the timeline holds %d", spent, whole, drawn)
	}
	if share := doc.Bursts.At(0.99).Share(); share < 0.2 || share > 0.9 {
		t.Errorf("the collector's share of the tail is %v", share)
	}
}

// TestReadOwnTrace reads a trace of the toolchain at hand.
func TestReadOwnTrace(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip(err) // somebody traces this test
	}
	done := make(chan bool)
	go func() { close(done) }()
	<-done
	trace.Stop()
	doc, err := Read(t.Context(), "own", &b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Events == 0 || doc.Duration <= 0 || doc.Bursts.Count == 0 {
		t.Errorf("%d events in %d ns, %d bursts", doc.Events, doc.Duration, doc.Bursts.Count)
	}
}

func TestBadTraces(t *testing.T) {
	data := storm(t)
	old := append([]byte("go 1.21 trace\x00\x00\x00"), data[16:]...)
	mixed := bytes.Clone(data)
	for i := 1000; i < len(mixed); i += 997 {
		mixed[i] ^= 0x55
	}
	for _, c := range []struct {
		name, says string
		data       []byte
	}{
		{"empty", "it is empty", nil},
		{"header alone", "no events in it: the runtime writes about once a second, and the program ended before; stop the trace before the program ends", data[:16]},
		{"half a header", "breaks off in its header", data[:10]},
		{"profile", "a pprof profile is read by heapwright diagnose and flame", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x00\x00\x00\x00\x00\x00\x00")},
		{"page", "check the URL and the login", []byte("<!doctype html><title>Login</title>")},
		{"other", "something else", []byte("a text that is no trace at all")},
		{"old", "traces of Go 1.22 and later can be read", old},
		{"new", "newer than this program knows", append([]byte("go 1.99 trace\x00\x00\x00"), data[16:]...)},
		{"cut", "within its first generation of about a second, of which nothing can be read; stop the trace before", data[:len(data)/2]},
		{"cut at its end", "the trace breaks off", data[:len(data)-1]},
		{"mixed", "damaged", mixed},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(t.Context(), "x.trace", bytes.NewReader(c.data), Options{})
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "x.trace: ") || strings.Contains(err.Error(), "\n") || len(err.Error()) > 400 {
				t.Errorf("%v; want %q", err, c.says)
			}
		})
	}
}

// A collection that the trace holds a part of is no sample of its cost.
func TestDoubtOfPartialCollections(t *testing.T) {
	for _, c := range []struct {
		cycles []Cycle
		says   string
	}{
		{nil, "No collection ran in this trace; record a longer one."},
		{[]Cycle{{Partial: true}, {Partial: true}}, "No collection ran from its beginning to its end"},
		{[]Cycle{{Partial: true}, {}}, ""},
	} {
		doc := &Document{Cycles: c.cycles}
		doc.doubt(newMachine())
		if got := strings.Join(doc.Warnings, " "); (got == "") != (c.says == "") || !strings.HasPrefix(got, c.says) {
			t.Errorf("%d collections: %q, want %q", len(c.cycles), got, c.says)
		}
	}
}

// A trace that breaks off after a whole generation is shown up to there.
func TestTruncatedTraceKeepsWhatIsThere(t *testing.T) {
	data := storm(t)
	doc, err := Read(t.Context(), "x", io.MultiReader(bytes.NewReader(data), bytes.NewReader(data[16:5000])), Options{})
	if !errors.Is(err, ErrTruncated) || doc == nil || len(doc.Cycles) != 5 || len(doc.Warnings) == 0 {
		t.Errorf("%v, document %v", err, doc != nil)
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	cancel(interrupted)
	endless := io.MultiReader(bytes.NewReader(storm(t)[:16]), zeros{})
	if _, err := Read(ctx, "x", endless, Options{}); !errors.Is(err, interrupted) && !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// FuzzRead holds reading to two promises: it ends, and an error has one line.
func FuzzRead(f *testing.F) {
	for _, name := range tracetest.Amplifiers() {
		var b bytes.Buffer
		if err := tracetest.Amplify(&b, name, 100); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add(storm(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Read(t.Context(), "x", bytes.NewReader(data), Options{MaxMemory: 512 << 20})
		if doc == nil && err == nil || doc != nil && err != nil && !errors.Is(err, ErrTruncated) {
			t.Errorf("document %v, error %v", doc != nil, err)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}
