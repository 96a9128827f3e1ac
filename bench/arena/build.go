package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/bench/arena/work"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// heapOff is the contestant that differs from work.Heap only in its environment.
const heapOff = "heap, GOGC=off"

// offLimit guards the heap without collection: some collections are its price.
const offLimit = "1GiB"

// build builds the worker for a version of Go, without and with Go's arenas,
// and returns the cells to measure. Only the contestants that need the
// experiment run in the build that has it.
func build(ctx context.Context, dir, version, only string) ([]*cell, error) {
	var cells []*cell
	known := map[[2]string]bool{}
	for _, experiment := range []string{"", "arenas"} {
		binary := filepath.Join(dir, strings.Trim(version+"-"+experiment, "-")+".exe")
		if err := buildWorker(ctx, binary, version, experiment); err != nil {
			return nil, err
		}
		all, err := program.OutputJSON[[]work.Contestant](ctx, program.In{}, nil, binary, "-list")
		if err != nil {
			return nil, fmt.Errorf("list the works: %w", err)
		}
		for _, c := range all {
			key := [2]string{c.Work, c.Name}
			if known[key] || !strings.Contains(c.Work, only) {
				continue
			}
			known[key] = true
			cells = append(cells, &cell{version: version, work: c.Work, contestant: c.Name, runsAs: c.Name, binary: binary, gogc: "100"})
			if c.Name == work.Heap {
				cells = append(cells, &cell{version: version, work: c.Work, contestant: heapOff, runsAs: c.Name, binary: binary, gogc: "off"})
			}
		}
	}
	return cells, nil
}

// buildWorker builds the worker and checks its version of Go and experiment.
func buildWorker(ctx context.Context, binary, version, experiment string, flags ...string) error {
	in := program.In{Env: []string{"GOTOOLCHAIN=" + version, "GOEXPERIMENT=" + experiment}}
	if err := in.Build(ctx, binary, append(flags, "./arena/worker")...); err != nil {
		return fmt.Errorf("build with %s: %w; run it as go -C bench run ./arena, with a network or the toolchain at hand", version, err)
	}
	return identify(binary, version, experiment)
}

// identify checks that a binary was built with a version of Go and an experiment.
func identify(binary, version, experiment string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	want := version
	if experiment != "" {
		want += "-X:" + experiment
	}
	if built := strings.Replace(info.GoVersion, " X:", "-X:", 1); built != want {
		return fmt.Errorf("%s was built with %s, not with %s; give -go exact versions", binary, built, want)
	}
	return nil
}
