package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/sample"
)

// Server is the target "a server under load": a command that goes on until it
// is stopped, and the requests that it answers. One run starts it, waits until
// it is ready, warms it up, loads it and stops it. The phases of the load are
// the parts of the benchmark. A server that listens on load.Port gets a free
// port for every run.
type Server struct {
	Command
	Requests *load.Requests
	Plan     load.Plan // with its defaults
	Rate     float64   // requests per second; 0 has it chosen on the baseline
	Ready    Ready
}

// Ready says when a server is ready.
type Ready struct {
	URL     string        // that answers with a status below 500 then; "" is the first request
	Timeout time.Duration // how long that may take; 0 is 30 s
}

// DefaultReadyTimeout is how long a server may take to be ready.
const DefaultReadyTimeout = 30 * time.Second

func (t *Server) String() string { return t.Command.String() + " under load" }

// Build refuses a port that is taken before it builds anything.
func (t *Server) Build(ctx context.Context, c *Cell) error {
	if !t.Requests.TakesAnyPort() {
		if err := portFree(ctx, t.Requests.Address(0)); err != nil {
			return err
		}
	}
	return t.Command.Build(ctx, c)
}

// Benchmarks starts the server once and sends the first request.
func (t *Server) Benchmarks(ctx context.Context, c *Cell, _ time.Duration) ([]Found, error) {
	found := Found{Key: sample.Key{Benchmark: t.name()}, Parts: t.Plan.Phases()}
	_, found.Err = t.serve(ctx, t.Invocation(c, found.Key, c.Binaries[""][0], 1), func(ctx context.Context, s *served) error {
		if err := s.client.Try(ctx); err != nil {
			return fmt.Errorf("%w; see the URL, the method and the headers", err)
		}
		return nil
	})
	return []Found{found}, nil
}

// Calibrate chooses the rate.
func (t *Server) Calibrate(ctx context.Context, c *Cell, k sample.Key, _, _ time.Duration) (Calibration, error) {
	rate, notes, err := t.chooseRate(ctx, c, k)
	if err != nil {
		return Calibration{}, err
	}
	n := int(rate*t.Plan.Requests("") + 0.5)
	if n < 1 {
		return Calibration{}, fmt.Errorf("not one request would be sent in %v; give a higher -rate or a longer -duration", t.Plan.Length())
	}
	for _, phase := range t.Plan.Phases() {
		if sent := rate * t.Plan.Requests(phase); sent < load.ForP99 {
			notes = append(notes, fmt.Sprintf("a run sends %.0f requests in the phase %s, too few for a p99; it takes %d: give a longer -duration", sent, phase, load.ForP99))
		}
	}
	return Calibration{Iterations: n, Notes: notes}, nil
}

// rate is the inverse of what Calibrate does.
func (t *Server) rate(iterations int) float64 { return float64(iterations) / t.Plan.Requests("") }

func (t *Server) Invocation(c *Cell, k sample.Key, binary string, iterations int) Invocation {
	inv := t.Command.Invocation(c, k, binary, iterations)
	inv.Iterations = iterations
	return inv
}

// Run is one run of the server: its figures are those of each phase.
func (t *Server) Run(ctx context.Context, inv Invocation) ([]Figures, error) {
	var figures []Figures
	killed, err := t.serve(ctx, inv, func(ctx context.Context, s *served) error {
		ledger := newLedger(s.process, inv.Dump)
		phases, err := load.Run(ctx, s.client, t.Plan, t.rate(inv.Iterations), ledger.border)
		if err != nil {
			return err
		}
		for _, p := range phases {
			f, err := ledger.figures(p)
			if err != nil {
				return err
			}
			figures = append(figures, f)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if killed {
		d := Doubt{"the server did not end when it was told to and was killed, let it end on SIGTERM", grace.String() + " later"}
		figures[0].Doubts = append(figures[0].Doubts, d)
	}
	return figures, nil
}

// Profile loads a server that writes profiles as a timed run would.
func (t *Server) Profile(ctx context.Context, c *Cell, _, prefix string, timeout time.Duration) error {
	if t.Main == "" {
		return errors.New("a program that is built already cannot be profiled; give -main PACKAGE")
	}
	calibration, err := t.Calibrate(ctx, c, sample.Key{Benchmark: t.name()}, 0, timeout)
	if err != nil {
		return err
	}
	inv, err := t.profiled(ctx, c, prefix)
	if err != nil {
		return err
	}
	inv.Iterations = calibration.Iterations
	_, err = t.Run(ctx, inv)
	return err
}

// Record is not possible: a server is diagnosed while it serves.
func (t *Server) Record(context.Context, *Cell, sample.Key, int, string, time.Duration) (probe.Outcome, error) {
	return probe.Outcome{}, errors.New("a server is diagnosed while it serves: start it, and give heapwright diagnose its URL")
}
