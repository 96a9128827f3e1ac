package main

import (
	"math"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

func TestWindows(t *testing.T) {
	procs := float64(runtime.GOMAXPROCS(0))
	// Ten seconds, of which collections take a tenth, and one with a half,
	// two fifths of that on idle processors.
	var points []point
	gc, idle := 0.0, 0.0
	for i := range 200 {
		share := 0.1
		if i >= 100 && i < 120 {
			share = 0.5
			idle += 0.2 * procs / 20
		}
		gc += share * procs / 20
		points = append(points, point{at: float64(i+1) / 20, done: i, gc: gc, idle: idle})
	}
	var o outcome
	o.add(points)
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 0.02 {
			t.Errorf("%s: %.3f, want %.3f", what, got, want)
		}
	}
	near("mean", o.GC, 0.14)
	near("worst", o.Worst, 0.5)
	near("without idle marking", o.WorstForced, 0.3)
	near("over the cap", o.Over, 0.18) // 1.25 s of 7
	if o.Done != 199 {
		t.Errorf("%d requests", o.Done)
	}
	o.add(nil) // killed before its first line
	o.add(points[:1])
	if o.Done != 199+points[0].done {
		t.Errorf("%d requests of three workers", o.Done)
	}
}

func TestLine(t *testing.T) {
	var done, storms atomic.Int64
	done.Store(7)
	storms.Store(3)
	text := line(&done, &storms)
	p, ok := parseLine(text)
	if !ok || p.done != 7 || p.storms != 3 || p.gogc == 0 || p.limit == 0 || p.goal == 0 {
		t.Errorf("%q is %+v, %v", text, p, ok)
	}
	for _, cut := range []string{"", "at", text[:len(text)/3]} {
		if _, ok := parseLine(cut); ok {
			t.Errorf("%q passes for a whole line", cut)
		}
	}
}

func TestKeepHoldsTheNewest(t *testing.T) {
	k := keep{filepath.Join(t.TempDir(), "new", "outcomes.json")}
	for i, policy := range []string{"a", "b", "a"} {
		if err := k.add(outcome{Scenario: "s", Policy: policy, Done: i, Measured: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := k.load()
	if err != nil || len(all) != 2 || all[0].Policy != "b" || all[1].Done != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestChoose(t *testing.T) {
	if all, err := choose("", policyNames(), "-policies"); err != nil || len(all) != len(policies) {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := choose("gctune,nothing", policyNames(), "-policies"); err == nil {
		t.Error("an unknown policy is accepted")
	}
}
