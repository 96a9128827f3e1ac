package target

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// Invocation is one run of one benchmark.
type Invocation struct {
	process.Command
	Key        sample.Key
	Iterations int
	Remark     string // how it is treated while it runs, for people
	Brief      bool   // a quarter of the load is enough
	Dump       string // file that the injected probe writes; "" where it sleeps
}

// Conditions returns, for people, the conditions of a run that its command line
// does not show: the remark and the memory limit.
func (inv Invocation) Conditions() string {
	return strings.TrimSpace(inv.Remark + within(inv.Memory))
}

// Figures are the measurements of one part of a benchmark in one run.
type Figures struct {
	Part       string             // one of Facts.Parts; "" is the whole
	Iterations int                // operations that it did
	Values     map[string]float64 // metric → value
	Missing    map[string]string  // metric → why the target could not measure it
	Untimed    map[string]float64 // metric → value; only untimed runs have it
	Dump       *probe.Dump        // the probe's view of the part; nil is the view of all
	Doubts     []Doubt
}

// Doubt is a reason not to trust a run's figures.
type Doubt struct {
	What   string // the same for all runs that it is true of
	Detail string // what is special to this run
}

func (f *Figures) doubt(what, detail string) { f.Doubts = append(f.Doubts, Doubt{what, detail}) }

// runToEnd runs an invocation that ends by itself.
func runToEnd(ctx context.Context, inv Invocation) (process.Outcome, error) {
	out, err := process.Run(ctx, inv.Command)
	if err != nil {
		return out, err
	}
	if out.Failure != "" {
		return out, runError(out.Failure, out)
	}
	return out, nil
}

// processFigures returns the figures of a run whose process did nothing else: the system's
// accounts of the process, and the target's own figures, which take precedence.
func processFigures(out process.Outcome, iterations int, own map[string]float64) Figures {
	f := Figures{Iterations: iterations, Values: probe.Figures(out, iterations)}
	maps.Copy(f.Values, own)
	if out.Usage.AtMost() {
		f.Doubts = []Doubt{{"peak RSS is only an upper bound: the process that starts it takes as much",
			fmt.Sprintf("%d bytes", out.Usage.PeakRSS)}}
	}
	return f
}
