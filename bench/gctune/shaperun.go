package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// shapeRun is one run of a shape under a peer.
type shapeRun struct {
	Shape, Peer, Go string
	Commit          string
	Run             int
	Measured        time.Time
	Killed          bool
	Seconds         float64
	Done            int64   // units of 100 KiB of garbage
	GC              float64 // share of the CPU time of the process that collections took
	Peak            int64   // highest charge of the cgroup, bytes
	Log             string  `json:",omitempty"` // the log of a run that was killed
}

// settings are the shapes and peers to run, how often at most, and the folder of the runs.
type settings struct {
	only, peers regexp.Regexp
	most        int
	out         string
}

// run runs the chosen shapes under the chosen peers and keeps each run in a file. Runs that
// are kept already are not repeated. The peers take turns, so that a disturbance of the
// machine affects all of them.
func (s *settings) run(ctx context.Context) error {
	type one struct {
		shape
		peer string
		run  int
		file string
	}
	var todo []one
	total := time.Duration(0)
	for _, shape := range shapes {
		for run := range min(shape.runs, s.most) {
			for i := range peers {
				peer := peers[(run+i)%len(peers)].name
				name := fmt.Sprintf("%s under %s %d.json", shape.name, peer, run+1)
				o := one{shape: shape, peer: peer, run: run, file: filepath.Join(s.out, strings.ReplaceAll(name, " ", "-"))}
				if _, err := os.Stat(o.file); err == nil || !s.only.MatchString(shape.name) || !s.peers.MatchString(peer) {
					continue
				}
				todo = append(todo, o)
				total += time.Duration(shape.seconds) * time.Second
			}
		}
	}
	fmt.Fprintf(os.Stderr, "%d runs, at most %v\n", len(todo), total.Round(time.Second))
	for _, o := range todo {
		r, err := runShape(ctx, o.shape, o.peer, o.run)
		if err != nil {
			return fmt.Errorf("%s under %s: %w", o.name, o.peer, err)
		}
		fmt.Fprintf(os.Stderr, "%-16s %-22s killed %-5v %5.1f s %7.0f MiB/s  GC %2.0f%%  peak %d MiB\n",
			r.Shape, r.Peer, r.Killed, r.Seconds, r.rate(), 100*r.GC, r.Peak>>20)
		if err := program.WriteJSON(o.file, r); err != nil {
			return fmt.Errorf("keep the runs: %w; give another folder with -o", err)
		}
	}
	return nil
}

func runShape(ctx context.Context, s shape, peer string, run int) (shapeRun, error) {
	r := shapeRun{Shape: s.name, Peer: peer, Run: run, Go: runtime.Version(), Commit: page.Now().Commit, Measured: time.Now().UTC()}
	var log bytes.Buffer
	e, err := runWorker(ctx, job{Peer: peer, Limit: shapeLimit, Shape: s.name}, &log)
	if err != nil {
		return r, fmt.Errorf("%w\n%s", err, &log)
	}
	r.Killed, r.Peak, r.Seconds, r.Done = e.killed, e.peak, e.last.At, e.last.Done
	if e.killed {
		r.Log = log.String()
	}
	if e.last.Busy >= e.last.GC && e.last.Busy > 0 { // the runtime counts both at the end of a cycle only
		r.GC = e.last.GC / e.last.Busy
	}
	return r, nil
}

// rate is the work done in MiB of garbage per second.
func (r shapeRun) rate() float64 { return float64(r.Done) * 100 / 1024 / max(r.Seconds, 1e-9) }

// load reads the runs that are kept.
func (s *settings) load() (all []shapeRun, err error) {
	files, err := filepath.Glob(filepath.Join(s.out, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		r, err := program.ReadJSON[shapeRun](file)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
