package main

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/heapwright/heapwright/gctune"
)

// A peer is one way to keep a process below its memory limit. A worker starts it
// after it has entered its cgroup, because some peers read the limit only once.
type peer struct {
	name  string
	start func(limit int64) error
}

// peers are set up as their own documentation recommends. For GOMEMLIMIT that is
// Go's guide to the GC, which advises to leave 5% to 10% of the container's memory
// free (go.dev/doc/gc-guide).
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

// tune starts gctune, which finds the limit itself. A gogc of 0 keeps the setting of the
// process, and -1 leaves only the limit to decide.
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
