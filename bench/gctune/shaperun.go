package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/heapwright/heapwright/bench/internal/page"
)

// shapeRun is one run of a shape under a peer.
type shapeRun struct {
	Shape, Peer, Go string
	Commit          string
	Run             int
	Measured        time.Time
	Killed          bool
	Seconds         float64
	Done            int     // units of 100 KiB of garbage
	GC              float64 // share of the CPU time of the process that collections took
	Peak            int64   // highest charge of the cgroup, bytes
	Log             string  `json:",omitempty"` // the log of a run that was killed
}

// shapeRuns runs the chosen shapes under the chosen peers and appends each run
// to file. Runs that file holds already are not repeated. The peers take turns,
// so that a disturbance of the machine meets all of them. A shape runs at most
// most times under each.
func shapeRuns(ctx context.Context, file string, only, with string, most int) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("keep the runs: %w; give another folder with -o", err)
	}
	have, err := loadShapes(file)
	if err != nil {
		return err
	}
	chosen, err := choose(only, shapeNames(), "-only")
	if err != nil {
		return err
	}
	among, err := choose(with, peerNames(), "-peers")
	if err != nil {
		return err
	}
	type one struct {
		shape
		peer string
		run  int
	}
	var todo []one
	total := time.Duration(0)
	for _, s := range shapes {
		for run := range min(s.runs, most) {
			for i := range among {
				o := one{s, among[(run+i)%len(among)], run}
				if slices.Contains(chosen, s.name) && !slices.ContainsFunc(have, func(r shapeRun) bool { return r.Shape == s.name && r.Peer == o.peer && r.Run == run }) {
					todo = append(todo, o)
					total += time.Duration(s.seconds) * time.Second
				}
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
		if err := appendShape(file, r); err != nil {
			return err
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
	r.Killed, r.Peak, r.Seconds, r.Done = e.killed, e.peak, e.last.at, e.last.done
	if e.killed {
		r.Log = log.String()
	}
	if e.last.busy >= e.last.gc && e.last.busy > 0 { // the runtime counts both at the end of a cycle only
		r.GC = e.last.gc / e.last.busy
	}
	return r, nil
}

// rate is the work done in MiB of garbage per second.
func (r shapeRun) rate() float64 { return float64(r.Done) * 100 / 1024 / max(r.Seconds, 1e-9) }

func shapeNames() (names []string) {
	for _, s := range shapes {
		names = append(names, s.name)
	}
	return names
}

func loadShapes(file string) (all []shapeRun, err error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var r shapeRun
		if err := d.Decode(&r); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w; move it away to begin again", file, err)
		}
		all = append(all, r)
	}
}

func appendShape(file string, r shapeRun) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("keep the runs: %w; give another folder with -o", err)
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
