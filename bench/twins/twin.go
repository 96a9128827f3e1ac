package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/rules"
)

// twin is one program of a shape, and its diagnoses.
type twin struct {
	shape    string
	grows    data.Mark // the line by which the growing twin keeps its entries
	steady   bool
	outcomes []outcome
}

func (t *twin) name() string {
	if t.steady {
		return t.shape + " steady"
	}
	return t.shape + " growing"
}

// outcome is one diagnosis of growth.
type outcome struct {
	leaks      []string // lines that were called a leak
	named      bool     // the right one is among them
	confidence string   // the finding's
}

func (o outcome) String() string {
	switch {
	case o.named:
		return "named, confidence " + o.confidence
	case len(o.leaks) > 0:
		return "a leak at " + strings.Join(o.leaks, ", ")
	}
	return "no leak"
}

// marker ends a line by which a shape grows.
var marker = regexp.MustCompile(`// grows: ([a-z]+)$`)

const (
	perSecond = 100             // requests
	warm      = 3 * time.Second // the steady twins are full then
)

// outcome returns a diagnosis of a twin, which is made unless an earlier one is to be read.
func (s *settings) outcome(ctx context.Context, t *twin, run int) (outcome, error) {
	out := filepath.Join(s.Out, fmt.Sprintf("%s-%d", strings.ReplaceAll(t.name(), " ", "-"), run+1))
	if !s.Again {
		if err := s.watch(ctx, t, out); err != nil {
			return outcome{}, err
		}
	}
	return read(filepath.Join(out, "diagnosis.json"), t)
}

// watch starts a twin, loads it and diagnoses it.
func (s *settings) watch(ctx context.Context, t *twin, out string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kind := strings.Fields(t.name())[1]
	service := program.In{Env: []string{"GOMAXPROCS=1"}}.Command(ctx, s.service, "-shape", t.shape, "-twin", kind)
	stdout, err := service.StdoutPipe()
	if err != nil {
		return err
	}
	if err := service.Start(); err != nil {
		return err
	}
	defer service.Wait()
	defer cancel()
	addr, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("it does not say where it listens: %w", err)
	}
	url := "http://" + strings.TrimSpace(addr)
	go load(ctx, url)
	if err := program.Sleep(ctx, warm); err != nil {
		return err
	}
	return program.In{}.Run(ctx, s.Tool, "diagnose", "-C", s.dir, "-duration", s.duration.String(), "-o", out, url)
}

// load sends requests at a steady rate until ctx ends.
func load(ctx context.Context, url string) {
	tick := time.NewTicker(time.Second / perSecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close()
		}
	}
}

// read returns the leaks that a diagnosis names.
func read(name string, t *twin) (o outcome, err error) {
	doc, err := program.ReadJSON[diagnose.Document](name)
	if err != nil {
		return o, err
	}
	for _, f := range doc.Findings {
		for _, f := range append([]rules.Finding{f}, f.Others...) {
			if f.Rule != "unbounded-growth" && f.Rule != "goroutine-leak" {
				continue
			}
			at := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			o.leaks = append(o.leaks, at)
			if !t.steady && at == t.grows.String() {
				o.named, o.confidence = true, string(f.Confidence)
			}
		}
	}
	return o, nil
}
