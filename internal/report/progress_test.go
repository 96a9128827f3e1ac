package report

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vbauerster/mpb/v8"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

func failure() result.RunFailure {
	return result.RunFailure{Failure: result.Failure{Key: sample.Key{Benchmark: "Tree"}, Mode: "GOGC=400", Block: 3,
		Reason: "exit status 2", Output: "\x1b[31mpanic: x\r\n\tmain.go:3\n"}}
}

func TestLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := newLines(&out)
		s.Handle(result.Progress{Phase: result.Build, Done: 0, Total: 2, Doing: "default"})
		s.Handle(result.Progress{Phase: result.Build, Done: 2, Total: 2})
		s.Handle(result.Note{Text: "a\rb"})
		for i := range 121 { // one per second
			s.Handle(result.Progress{Phase: result.Measure, Done: i, Total: 120, Doing: "GOGC=400 · Tree", ETA: time.Duration(120-i) * time.Second})
			time.Sleep(time.Second)
		}
		s.Handle(failure())
		s.Handle(result.Analysis{Blocks: 12, Open: 1, Effects: make([]verdict.Effect, 4)})
		s.Handle(result.Analysis{Blocks: 20})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		want := `build 0/2, default
build 2/2
note: a␍b
measure 0/120, 2m left, GOGC=400 · Tree
measure 10/120, 1m50s left, GOGC=400 · Tree
measure 20/120, 1m40s left, GOGC=400 · Tree
measure 30/120, 1m30s left, GOGC=400 · Tree
measure 40/120, 1m20s left, GOGC=400 · Tree
measure 50/120, 1m10s left, GOGC=400 · Tree
measure 60/120, 1m left, GOGC=400 · Tree
measure 70/120, 50 s left, GOGC=400 · Tree
measure 80/120, 40 s left, GOGC=400 · Tree
measure 90/120, 30 s left, GOGC=400 · Tree
measure 100/120, 20 s left, GOGC=400 · Tree
measure 110/120, 10 s left, GOGC=400 · Tree
measure 120/120, GOGC=400 · Tree
failed: Tree in GOGC=400, block 3: exit status 2
    ␛[31mpanic: x
        main.go:3
interim analysis after 12 blocks: 1 of 4 questions are open
interim analysis after 20 blocks: every question is decided
`
		if got := out.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// The bars are drawn on a buffer here, as mpb draws them on a terminal: every
// phase stays, notes stand between, a total may grow, and an end before the
// total is reached does not hang.
func TestBars(t *testing.T) {
	var out bytes.Buffer
	s := newBars(&out, mpb.WithAutoRefresh(), mpb.WithWidth(100))
	s.Handle(result.Note{Text: "before all"})
	s.Handle(result.Progress{Phase: result.Build, Total: 2})
	s.Handle(result.Progress{Phase: result.Build, Done: 2, Total: 2})
	s.Handle(result.Progress{Phase: result.Measure, Done: 12, Total: 12, ETA: time.Hour})
	s.Handle(failure())
	s.Handle(result.Progress{Phase: result.Measure, Done: 13, Total: 20, Doing: "\x1b[2Jevil"})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{"note: before all", "build", " 2/2", "failed: Tree in GOGC=400", "measure", " 13/20"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b[2J") || strings.Contains(got, "\x1b[31m") {
		t.Errorf("an escape of the target reached the terminal:\n%q", got)
	}
}

// Reading counts MiB. Where the size is not known, a log has a line per pause all the same.
func TestProgressOfReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out, drawn bytes.Buffer
		lines := newLines(&out)
		for i := range 21 { // one per second
			lines.Handle(result.Progress{Phase: result.Read, Done: i, Doing: "standard input"})
			time.Sleep(time.Second)
		}
		lines.Handle(result.Progress{Phase: result.Read, Done: 17, Total: 17, Doing: "x.trace"})
		want := "read 0 MiB, standard input\nread 10 MiB, standard input\nread 20 MiB, standard input\nread 17/17 MiB, x.trace\n"
		if got := out.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		bars := newBars(&drawn, mpb.WithAutoRefresh(), mpb.WithWidth(100))
		bars.Handle(result.Progress{Phase: result.Read, Done: 17, Total: 200, Doing: "x.trace"})
		bars.Close()
		if want := " 17/200 MiB "; !strings.Contains(drawn.String(), want) {
			t.Errorf("no %q in\n%s", want, drawn.String())
		}
	})
}
