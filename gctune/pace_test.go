package gctune

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestGOGCIsTheLeastThatReachesTheGoal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := heap{
			live:    rapid.Uint64Range(0, 1<<42).Draw(t, "live"),
			stacks:  rapid.Uint64Range(0, 1<<30).Draw(t, "stacks"),
			globals: rapid.Uint64Range(0, 1<<26).Draw(t, "globals"),
		}
		goal := rapid.Uint64Range(0, maxSize).Draw(t, "goal")
		p := h.gogc(goal)
		if p < 1 || p > math.MaxInt32 {
			t.Fatalf("GOGC %d", p)
		}
		if h.goal(p) < goal {
			t.Fatalf("GOGC %d: goal %d, want at least %d", p, h.goal(p), goal)
		}
		if p > 1 && h.goal(p-1) >= goal {
			t.Fatalf("GOGC %d would do, got %d", p-1, p)
		}
	})
}

func TestNoCycleStartsBelowTheFloor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := heap{live: rapid.Uint64Range(0, 1<<34).Draw(t, "live")}
		floor := rapid.Uint64Range(0, 1<<34).Draw(t, "floor")
		goal := max(h.goalToStartAt(floor), h.live)
		// mgcpacer.go, trigger: the lowest that it can be.
		if trigger := (goal-h.live)/minTriggerDen*minTriggerNum + h.live; trigger < floor {
			t.Fatalf("trigger %d below the floor %d", trigger, floor)
		}
	})
}

func TestRuntimeGoalUnderALimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		goal := rapid.Uint64Range(1, maxSize).Draw(t, "goal")
		nonHeap := rapid.Uint64Range(0, 1<<34).Draw(t, "nonHeap")
		limit := limitFor(goal, nonHeap)
		if got := highestGoal(limit, nonHeap); got < goal || got > goal+goal/20+2<<20 {
			t.Fatalf("limit %d allows a goal of %d, want %d", limit, got, goal)
		}
	})
}

func TestParseSize(t *testing.T) {
	for in, want := range map[string]int64{"0": 0, "4096": 4096, "512B": 512, "1KiB": 1024, "256MiB": 256 << 20, "3GiB": 3 << 30, "1TiB": 1 << 40} {
		if got, err := ParseSize(in); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "B", "-1", "+1", "1.5GiB", "256M", "256MB", "256 MiB", "2TiB", "1025GiB", "99999999999999999999", "MiB", "x"} {
		if got, err := ParseSize(in); err == nil {
			t.Errorf("%q: %d, want an error", in, got)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	f.Add("256MiB")
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseSize(s); err == nil && (n < 0 || n > maxSize) {
			t.Errorf("%q: %d", s, n)
		}
	})
}

// TestRoomOutlastsAnEarlyCycle starts a cycle as early as the pacer may and
// marks at once.
func TestRoomOutlastsAnEarlyCycle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Float64Range(1, 1<<34).Draw(t, "n")
		marking := rapid.Float64Range(0, 1<<34).Draw(t, "marking")
		room := roomFor(n, marking)
		if end := min(room, room*minTriggerNum/minTriggerDen+marking); end < n*(1-1e-9) {
			t.Fatalf("with a room of %.0f a cycle ends after %.0f bytes, want %.0f", room, end, n)
		}
	})
}

// TestGrowthGoalStaysUnderTheCeiling lets a cycle find all of the heap live,
// and computes how far the runtime puts its goal off (mgcpacer.go, revise).
func TestGrowthGoalStaysUnderTheCeiling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := rapid.Uint64Range(4<<20, 4<<30).Draw(t, "live")
		ceiling := rapid.Uint64Range(live, 8<<30).Draw(t, "ceiling")
		goal := heap{live: live}.growthGoal(ceiling)
		if goal < live || goal > ceiling {
			t.Fatalf("goal %d", goal)
		}
		trigger := float64(live) + float64(goal-live)*minTriggerNum/minTriggerDen
		putOff := trigger + (float64(goal)-trigger)*float64(goal)/float64(live)
		if putOff > float64(ceiling)*1.001 || putOff < float64(ceiling)*0.999 {
			t.Fatalf("goal %d is put off to %.0f, the ceiling is %d", goal, putOff, ceiling)
		}
	})
}
