package experiment

import (
	"context"
	"fmt"
	"maps"

	"github.com/heapwright/heapwright/internal/probe"
)

// runToEnd runs an invocation that ends by itself.
func runToEnd(ctx context.Context, inv Invocation) (probe.Outcome, error) {
	out, err := probe.Run(ctx, inv.Command)
	if err != nil {
		return out, err
	}
	if out.Failure != "" {
		return out, runError(out.Failure, out)
	}
	return out, nil
}

// processFigures are those of a run whose process did nothing else: what the
// system accounted it, and what the target says itself, which goes before.
func processFigures(out probe.Outcome, iterations int, own map[string]float64) Figures {
	f := Figures{Iterations: iterations, Values: out.Figures(iterations)}
	maps.Copy(f.Values, own)
	if out.Usage.AtMost() {
		f.Doubts = []Doubt{{"peak RSS is only an upper bound: what starts the process takes as much", fmt.Sprintf("%d bytes", out.Usage.PeakRSS)}}
	}
	return f
}
