package main

import (
	"fmt"
	"runtime"
	"time"
)

// point is one line of a worker: totals since it began.
type point struct {
	at       float64 // seconds
	done     int     // requests answered
	storms   int     // storms survived
	gc, idle float64 // CPU seconds of collections, and how much of it on idle processors
	cycles   int
	live     int64
	gogc     int
	limit    uint64
	goal     uint64  // of the heap, the lower of GOGC's and the limit's
	busy     float64 // CPU seconds that the runtime counts as not idle
}

// outcome is how a policy fared in a scenario. Shares are of GOMAXPROCS × wall
// time.
type outcome struct {
	Scenario, Policy, Go string
	Measured             time.Time
	Limit                int64

	Kills   int
	Seconds float64
	Done    int
	Cycles  int
	Peak    int64   // highest charge of the cgroup, bytes
	CPU     float64 // seconds of the whole process, those that were killed included
	LiveEnd int64   // bytes that the last collection found live

	GC          float64 // share of the CPU that collections took
	Worst       float64 // in the worst second
	WorstForced float64 // the same without marking on idle processors
	Over        float64 // share of the seconds with more than the cap of a quarter

	Profiles int    // on disk at the end
	Holder   string // function that the newest heap profile shows to hold the most
	Log      string

	windows, over int
	gc            float64
}

const (
	window = 1.0  // s
	gcCap  = 0.25 // gctune's default
	// warmUp is the time at the start that is excluded: a window has no history
	// there, and building the live heap is not part of the comparison.
	warmUp = 3.0
)

// add takes in the points of one worker. CPU of collections is known when they
// end, so that a window can show more than there is.
func (o *outcome) add(points []point) {
	if len(points) == 0 {
		return
	}
	procs := float64(runtime.GOMAXPROCS(0))
	last := points[len(points)-1]
	o.Seconds += last.at
	o.Done += last.done
	o.Cycles += last.cycles
	o.LiveEnd = last.live
	o.gc += last.gc
	o.GC = o.gc / procs / o.Seconds
	from := 0
	for _, p := range points {
		for from+1 < len(points) && p.at-points[from+1].at >= window {
			from++
		}
		was := points[from]
		dt := p.at - was.at
		if p.at < warmUp || dt < window {
			continue
		}
		share := (p.gc - was.gc) / procs / dt
		o.Worst = max(o.Worst, share)
		o.WorstForced = max(o.WorstForced, share-(p.idle-was.idle)/procs/dt)
		o.windows++
		if share > gcCap {
			o.over++
		}
		o.Over = float64(o.over) / float64(o.windows)
	}
}

func (o outcome) String() string {
	return fmt.Sprintf("%d kills in %.1f s, %d requests, GC CPU %.0f%%, worst second %.0f%% (%.0f%% not idle), over the cap in %.0f%% of seconds, %d cycles, live at the end %d MiB, peak charge %d MiB, CPU %.2f s, %d profiles %s",
		o.Kills, o.Seconds, o.Done, 100*o.GC, 100*o.Worst, 100*o.WorstForced, 100*o.Over, o.Cycles, o.LiveEnd>>20, o.Peak>>20, o.CPU, o.Profiles, o.Holder)
}
