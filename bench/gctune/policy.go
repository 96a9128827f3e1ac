package main

import (
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/bytedance/gopkg/util/gctuner"

	"github.com/heapwright/heapwright/gctune"
)

// policy is one way to deal with memory, put in force by a worker that is
// already in its cgroup.
type policy struct {
	name  string
	start func(limit int64, profiles string) error
}

// The peers are set up as their own documentation says. GOGC=20 is the largest
// round figure under which a live heap of 400 MiB fits into 512 MiB.
var policies = []policy{
	{"default", func(int64, string) error { return nil }},
	{"GOGC=20", func(int64, string) error { debug.SetGCPercent(20); return nil }},
	{"GOMEMLIMIT+GOGC=off", func(limit int64, _ string) error {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(limit / 10 * 9)
		return nil
	}},
	{"ballast", func(limit int64, _ string) error {
		ballast = make([]byte, limit/4)
		return nil
	}},
	{"automemlimit", func(int64, string) error {
		_, err := memlimit.Set(memlimit.WithProvider(memlimit.FromCgroup))
		return err
	}},
	{"gctuner", func(limit int64, _ string) error {
		gctuner.Tuning(uint64(limit) / 10 * 7)
		return nil
	}},
	{"gctune", func(_ int64, profiles string) error { return tune(0, profiles) }},
}

// peers are the policies that the shapes are run under.
var peers = []policy{
	{"gctune", func(int64, string) error { return tune(0, "") }},
	{"gctune GOGC=off", func(int64, string) error { return tune(-1, "") }},
	{"GOMEMLIMIT=90%", func(limit int64, _ string) error {
		debug.SetMemoryLimit(limit / 10 * 9)
		return nil
	}},
	{"GOMEMLIMIT=90% GOGC=off", func(limit int64, _ string) error {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(limit / 10 * 9)
		return nil
	}},
	{"automemlimit", func(int64, string) error {
		_, err := memlimit.Set(memlimit.WithProvider(memlimit.FromCgroup))
		return err
	}},
}

// tune starts gctune with a GOGC and, if profiles names a folder, hooks that
// write profiles there.
func tune(gogc int, profiles string) error {
	o := gctune.Options{GOGC: gogc, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	if profiles != "" {
		hooks, err := gctune.ProfileHooks(profiles, gctune.ProfileOptions{Keep: 4})
		if err != nil {
			return err
		}
		o.Hooks = hooks
	}
	_, err := gctune.Start(o)
	return err
}

var ballast []byte

// keepBallast is called at a worker's end.
func keepBallast() { runtime.KeepAlive(ballast) }

func policyNames() []string { return namesOf(policies) }
func peerNames() []string   { return namesOf(peers) }

func namesOf(all []policy) (names []string) {
	for _, p := range all {
		names = append(names, p.name)
	}
	return names
}
