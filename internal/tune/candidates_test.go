package tune

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/mode"
)

const mib = 1 << 20

func modesOf(all []candidate) string {
	var names []string
	for _, c := range all {
		names = append(names, c.mode)
	}
	return strings.Join(names, " ")
}

func TestCandidates(t *testing.T) {
	collects := evidence.Range{Low: 0.2, High: 0.3}
	tests := []struct {
		name string
		e    prospect
		o    options
		want string
	}{
		{
			"a small heap that is collected all the time gets a floor",
			prospect{collection: collects, live: 1 * mib, rss: 12 * mib},
			options{builds: true, newest: "go1.27.4", other: "nogreenteagc", memory: 76 * mib},
			"go1.27.4 nogreenteagc floor=39MiB GOGC=2600",
		},
		{
			"what is built already takes settings of the run alone",
			prospect{collection: collects, live: 1 * mib, rss: 12 * mib},
			options{newest: "go1.27.4", other: "nogreenteagc", memory: 76 * mib},
			"GOGC=2600",
		},
		{
			"no setting of the collector where it costs next to nothing",
			prospect{collection: evidence.Range{High: 0.01}, live: 1 * mib, rss: 12 * mib},
			options{builds: true, newest: "go1.27.4", other: "nogreenteagc", arenas: true, memory: 76 * mib},
			"go1.27.4 arenas",
		},
		{
			"no floor where the live heap fills what is allowed",
			prospect{collection: collects, live: 200 * mib, rss: 420 * mib},
			options{builds: true, other: "nogreenteagc", memory: 440 * mib},
			"nogreenteagc",
		},
		{
			"a heap that is larger at its peak than after the last collection",
			prospect{collection: collects, live: 2 * mib, rss: 108 * mib},
			options{builds: true, memory: 172 * mib},
			"floor=104MiB GOGC=220",
		},
		{
			"one step where its memory is not known",
			prospect{collection: evidence.Range{High: 1}},
			options{memory: 4096 * mib},
			"GOGC=200",
		},
	}
	for _, test := range tests {
		all := candidates(test.e, test.o)
		if got := modesOf(all); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		for _, c := range all {
			names := []string{c.mode}
			if c.part != nil {
				names = append(names, c.part(0.5))
			}
			for _, m := range names {
				if _, err := mode.Parse(m); err != nil {
					t.Errorf("%s: %v", test.name, err)
				}
			}
		}
	}
}

func TestNothingToGain(t *testing.T) {
	e := prospect{ceiling: evidence.Range{High: 0.02}}
	if !e.nothingToGain() {
		t.Error("a ceiling of 2% is something to gain")
	}
	if got := e.agrees(); !strings.Contains(got, "was not measured") {
		t.Errorf("without a control: %q", got)
	}
	for _, test := range []struct {
		high float64
		want string
	}{{0.01, "agree: they save -0.5% [-2.0%, 1.0%] of CPU"}, {0.2, "neither prove nor refute it: they save -0.5% [-2.0%, 20.0%] of CPU"}} {
		e.measured, e.collection = true, evidence.Range{High: test.high}
		e.control = diagnose.Control{Saved: -0.005, Low: -0.02, High: test.high}
		if got := e.agrees(); !e.nothingToGain() || !strings.Contains(got, test.want) {
			t.Errorf("with a control of up to %v: %q", test.high, got)
		}
	}
	if got, want := e.collects(), "the cost of GC cannot be distinguished from noise: -0.5% [-2.0%, 20.0%]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.measured, e.collection = true, evidence.Range{Low: 0.05, High: 0.1}
	if e.nothingToGain() {
		t.Error("5% saved by a run without collections are nothing to gain")
	}
	if e := prospectOf(&diagnose.Document{}); e.nothingToGain() || e.collectsTooLittle() {
		t.Error("what is not known is taken for nothing")
	}
}
