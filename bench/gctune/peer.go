package main

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/heapwright/heapwright/gctune"
)

// peer is one way to deal with memory, put in force by a worker that is already
// in its cgroup.
type peer struct {
	name  string
	start func(limit int64) error
}

// peers are set up as their own documentation says.
var peers = []peer{
	{"gctune", func(int64) error { return tune(0) }},
	{"gctune GOGC=off", func(int64) error { return tune(-1) }},
	{"GOMEMLIMIT=90%", func(limit int64) error {
		debug.SetMemoryLimit(limit / 10 * 9)
		return nil
	}},
	{"GOMEMLIMIT=90% GOGC=off", func(limit int64) error {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(limit / 10 * 9)
		return nil
	}},
	{"automemlimit", func(int64) error {
		_, err := memlimit.Set(memlimit.WithProvider(memlimit.FromCgroup))
		return err
	}},
}

func tune(gogc int) error {
	_, err := gctune.Start(gctune.Options{GOGC: gogc, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	return err
}

func peerNames() (names []string) {
	for _, p := range peers {
		names = append(names, p.name)
	}
	return names
}
