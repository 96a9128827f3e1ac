package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/load"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
)

// Server is the target "a server under load": a command that continues until it
// is stopped, and the requests that it answers. One run starts it, waits until
// it is ready, warms it up, loads it and stops it. The phases of the load are
// the parts of the benchmark. A server that listens on load.Port gets a free
// port for every run.
type Server struct {
	Command
	Source load.Source `json:"source"` // the requests, which Open reads
	Plan   load.Plan   `json:"load"`   // has its defaults
	Rate   float64     `json:"rate"`   // requests per second; 0 has it chosen on the baseline
	Ready  Ready       `json:"ready"`

	// Routes lists the paths that the server's source registers, for the error about a path
	// that it does not know. It may be nil, and its text empty.
	Routes func() string `json:"-"`

	requests *load.Requests
	ran      bool // once at least, and was stopped
}

// Ready says when a server is ready.
type Ready struct {
	URL     string        `json:"url,omitempty"` // answers with a status below 500 when the server is ready; "" is the first request's
	Timeout time.Duration `json:"timeout_ns"`    // how long that may take; 0 is 30 s
}

// DefaultReadyTimeout is how long a server may take to be ready.
const DefaultReadyTimeout = 30 * time.Second

// serverBudget is long enough for the first analysis of three modes under the
// default load, of which a run takes 24 seconds.
const serverBudget = 30 * time.Minute

// starting is about the time that starting and stopping a server take.
const starting = time.Second

func (t *Server) String() string { return t.Command.String() + " under load" }

func (t *Server) Facts() Facts {
	f := t.Command.Facts()
	f.Kind = "server"
	f.Parts, f.Run, f.Budget = t.Plan.Phases(), t.Plan.Warmup+t.Plan.Length()+starting, serverBudget
	return f
}

// Open reads the requests. Files are named relative to dir.
func (t *Server) Open(ctx context.Context, dir string) (err error) {
	if err := t.Command.Open(ctx, dir); err != nil {
		return err
	}
	t.requests, err = t.Source.Read(ctx, dir)
	return err
}

// Build refuses a port that is taken, or that the server cannot know, before it
// builds anything.
func (t *Server) Build(ctx context.Context, c *Cell) error {
	if err := t.knowsPort(mode.RunEnv(c.Config)); err != nil {
		return err
	}
	if !t.requests.TakesAnyPort() {
		if err := t.portFree(ctx, t.requests.Address(0)); err != nil {
			return err
		}
	}
	return t.Command.Build(ctx, c)
}

// Benchmarks starts the server once and sends the first request.
func (t *Server) Benchmarks(ctx context.Context, c *Cell, _ time.Duration) ([]Found, error) {
	found := Found{Key: sample.Key{Benchmark: t.name(c)}}
	_, found.Err = t.serve(ctx, t.Invocation(c, found.Key, c.Binaries[""][0], 1), func(ctx context.Context, s *readyServer) error {
		if err := s.client.Try(ctx); err != nil {
			return fmt.Errorf("%w; %s", err, t.checks(err))
		}
		return nil
	})
	return []Found{found}, nil
}

// checks says what to check when the first request fails.
func (t *Server) checks(err error) string {
	if status := (*load.StatusError)(nil); t.Routes != nil && errors.As(err, &status) && status.Code == http.StatusNotFound {
		if routes := t.Routes(); routes != "" {
			return "the source registers " + routes
		}
	}
	return "see the URL, the method and the headers"
}

// Calibrate chooses the rate.
func (t *Server) Calibrate(ctx context.Context, c *Cell, k sample.Key, _, _ time.Duration) (Calibration, error) {
	rate, notes, err := t.chooseRate(ctx, c, k)
	if err != nil {
		return Calibration{}, err
	}
	n := int(rate*t.Plan.Requests("") + 0.5)
	if n < 1 {
		return Calibration{}, fmt.Errorf("not one request would be sent in %v; give a higher rate or a longer duration with -load", t.Plan.Length())
	}
	for _, phase := range t.Plan.Phases() {
		if sent := rate * t.Plan.Requests(phase); sent < load.ForP99 {
			notes = append(notes, fmt.Sprintf("a run sends %s requests in the phase %s, too few for a p99; it takes %d: give a longer -duration", format.Count(sent), phase, load.ForP99))
		}
	}
	return Calibration{Iterations: n, Notes: notes}, nil
}

// rate is the inverse of Calibrate.
func (t *Server) rate(iterations int) float64 { return float64(iterations) / t.Plan.Requests("") }

func (t *Server) Invocation(c *Cell, k sample.Key, binary string, iterations int) Invocation {
	inv := t.Command.Invocation(c, k, binary, iterations)
	inv.Iterations = iterations
	rate := t.rate(iterations)
	inv.Remark = fmt.Sprintf("under %s requests/s%s", format.Digits(rate), t.inStorms(rate))
	return inv
}

// Run is one run of the server, with figures for each phase.
func (t *Server) Run(ctx context.Context, inv Invocation) ([]Figures, error) {
	_, figures, err := t.run(ctx, inv)
	return figures, err
}

func (t *Server) run(ctx context.Context, inv Invocation) (process.Outcome, []Figures, error) {
	var figures []Figures
	out, err := t.serve(ctx, inv, func(ctx context.Context, s *readyServer) error {
		ledger := newLedger(s.process, inv.Dump)
		stop := func() {}
		if inv.Dump != "" || t.Plan.UntilEnd() {
			stop = ledger.follow()
		}
		plan := t.Plan
		if inv.Brief {
			plan = plan.Brief()
		}
		phases, err := load.Run(ctx, s.client, plan, t.rate(inv.Iterations), ledger.border)
		stop()
		if err != nil && !(err == errEnded && t.Plan.UntilEnd()) {
			return err
		}
		for _, p := range phases {
			f, err := ledger.figures(p)
			if err != nil {
				return err
			}
			if t.Plan.UntilEnd() {
				f.Values["answers"], f.Values["lifetime-sec"] = float64(p.Good), p.Length.Seconds()
			}
			figures = append(figures, f)
		}
		return nil
	})
	if err != nil {
		return out, nil, err
	}
	switch {
	case t.Plan.UntilEnd() && !out.OOMKilled:
		figures[0].doubt("the server was alive when the load ended, give a longer -duration", "after "+t.Plan.Duration.String())
	case !t.Plan.UntilEnd() && out.Signal == syscall.SIGKILL:
		figures[0].doubt("the server did not end when it was told to and was killed, let it end on SIGTERM", grace.String()+" later")
	}
	return out, figures, nil
}

// Profile loads a server that writes profiles as a timed run would.
func (t *Server) Profile(ctx context.Context, c *Cell, p Profiling) (process.Outcome, error) {
	if p.Iterations == 0 {
		calibration, err := t.Calibrate(ctx, c, sample.Key{Benchmark: t.name(c)}, 0, p.Timeout)
		if err != nil {
			return process.Outcome{}, err
		}
		p.Iterations = calibration.Iterations
	}
	inv, err := t.profiled(ctx, c, p)
	if err != nil {
		return process.Outcome{}, err
	}
	inv.Iterations = p.Iterations
	out, _, err := t.run(ctx, inv)
	return out, err
}
