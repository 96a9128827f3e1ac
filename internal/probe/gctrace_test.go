package probe

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/process/processtest"
)

func traceOf(text string) Trace {
	var t Tracer
	t.Write([]byte(text))
	return t.Trace()
}

func TestParseCycle(t *testing.T) {
	const mib = 1 << 20
	for name, tt := range map[string]struct {
		line string
		want Cycle
	}{
		"go1.27": {
			"gc 18 @0.106s 6%: 1.1+2.2+0.006 ms clock, 2.2+0.013/1.0/0.5+0.012 ms cpu, 16->22->14 MB, 19 MB goal, 0 MB stacks, 0 MB globals, 2 P",
			Cycle{
				Number: 18, At: 106 * time.Millisecond,
				SweepTerm: 1100 * time.Microsecond, Mark: 2200 * time.Microsecond, MarkTerm: 6 * time.Microsecond,
				SweepTermCPU: 2200 * time.Microsecond, Assist: 13 * time.Microsecond, Background: time.Millisecond,
				Idle: 500 * time.Microsecond, MarkTermCPU: 12 * time.Microsecond,
				HeapStart: 16 * mib, HeapEnd: 22 * mib, Live: 14 * mib, Goal: 19 * mib, Procs: 2,
			},
		},
		"forced, seeking leaks, behind the program's own output": {
			"working... gc 1 @120.000s 13% (checking for goroutine leaks): 12+210+0 ms clock, 0+0/0/0+0 ms cpu, 0->0->0 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 128 P (forced)",
			Cycle{
				Number: 1, At: 2 * time.Minute, SweepTerm: 12 * time.Millisecond, Mark: 210 * time.Millisecond,
				Goal: 4 * mib, Procs: 128, Forced: true,
			},
		},
	} {
		got := traceOf(tt.line)
		if diff := cmp.Diff(Trace{Cycles: []Cycle{tt.want}, Lost: tt.want.Number - 1}, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Each file holds the last lines of a real run of that Go version.
func TestEveryVersion(t *testing.T) {
	files, err := filepath.Glob("testdata/gctrace/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no traces", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		trace := traceOf(string(text))
		if len(trace.Cycles) == 0 || trace.Mixed {
			t.Errorf("%s: %+v", file, trace)
		}
		for _, c := range trace.Cycles {
			if c.Number == 0 || c.Goal < 4<<20 || c.SweepTerm == 0 || c.CPU() == 0 || c.Procs != 2 {
				t.Errorf("%s: %+v", file, c)
			}
		}
	}
}

func TestTraceFigures(t *testing.T) {
	line := func(n, pause, live, rest string) string {
		return "gc " + n + " @1.000s 1%: " + pause + "+1.0+0.5 ms clock, 1.0+2.0/3.0/4.0+5.0 ms cpu, 8->8->" + live +
			" MB, 16 MB goal, 0 MB stacks, 0 MB globals, 2 P" + rest + "\n"
	}
	trace := traceOf(line("1", "0.1", "4", "") + "gc 2 @1.0hello\n0s 1%: \n" +
		line("3", "0.2", "6", " (forced)") + line("4", "0.3", "5", ""))
	if trace.Count(true) != 4 || trace.Count(false) != 3 || trace.Lost != 1 || trace.Mixed {
		t.Errorf("%+v", trace)
	}
	if total, assist := trace.CPU(); total != 33*time.Millisecond || assist != 6*time.Millisecond {
		t.Errorf("CPU %v, assist %v", total, assist)
	}
	if p, _ := trace.Pause(0.5); p != 300*time.Microsecond {
		t.Errorf("median pause %v", p)
	}
	if p, _ := trace.Pause(0.99); p != 500*time.Microsecond {
		t.Errorf("p99 pause %v", p)
	}
	live, _ := trace.Live()
	goal, ok := trace.Goal()
	if live != 5<<20 || goal != 16<<20 || !ok {
		t.Errorf("live %d, goal %d", live, goal)
	}
	if !traceOf(line("7", "0", "1", "") + line("1", "0", "1", "")).Mixed {
		t.Error("did not notice a second process")
	}
	if _, ok := traceOf("no cycle\n").Pause(0.99); ok {
		t.Error("a pause without a cycle")
	}
}

func TestTraceOfARun(t *testing.T) {
	run := func(args ...string) Trace {
		var tracer Tracer
		_, err := process.Run(t.Context(), process.Command{
			Path: processtest.Target(t), Args: args, Stderr: &tracer, Env: append(os.Environ(), "GODEBUG=gctrace=1"),
		})
		if err != nil {
			t.Fatal(err)
		}
		return tracer.Trace()
	}
	trace := run("gc", "7")
	if forced := trace.Count(true) - trace.Count(false); forced < 6 || forced > 7 || trace.Lost != 0 {
		t.Errorf("7 forced cycles: %+v", trace)
	}
	var live int64
	for _, c := range run("live", "64", "collect").Cycles {
		live = max(live, c.Live)
	}
	if live < 64<<20 || live > 66<<20 {
		t.Errorf("64 MiB live: %d", live)
	}
}

func FuzzTracer(f *testing.F) {
	files, _ := filepath.Glob("testdata/gctrace/*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		trace := traceOf(string(text))
		if trace.Count(false) > trace.Count(true) || trace.Lost < 0 {
			t.Errorf("%+v", trace)
		}
		for _, c := range trace.Cycles {
			if c.Number < 0 || c.CPU() < c.Assist || min(c.At, c.SweepTerm, c.Mark, c.MarkTerm, c.Idle) < 0 ||
				min(c.HeapStart, c.HeapEnd, c.Live, c.Goal) < 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}
