package gctune

import (
	"math"
	"testing"
)

func TestGOGCIsTheLeastThatReachesTheGoal(t *testing.T) {
	property(t, func(t *draws) {
		h := heap{
			live:    t.uint64Range(0, 1<<42),
			stacks:  t.uint64Range(0, 1<<30),
			globals: t.uint64Range(0, 1<<26),
		}
		goal := t.uint64Range(0, maxSize)
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
	property(t, func(t *draws) {
		h := heap{live: t.uint64Range(0, 1<<34)}
		floor := t.uint64Range(0, 1<<34)
		goal := max(h.goalToStartAt(floor), h.live)
		// mgcpacer.go, trigger: the lowest that it can be.
		if trigger := (goal-h.live)/minTriggerDen*minTriggerNum + h.live; trigger < floor {
			t.Fatalf("trigger %d below the floor %d", trigger, floor)
		}
	})
}

// TestAExceededLimitAllowsItsGoal computes the limit of decide.
func TestAExceededLimitAllowsItsGoal(t *testing.T) {
	property(t, func(t *draws) {
		goal := t.uint64Range(headroomLeast*exceededSlack, maxSize)
		nonHeap := t.uint64Range(0, 1<<34)
		limit := int64(goal + goal/exceededSlack + nonHeap)
		if got := highestGoal(limit, nonHeap); got < goal {
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
	property(t, func(t *draws) {
		n := t.float64Range(1, 1<<34)
		marking := t.float64Range(0, 1<<34)
		room := roomFor(n, marking)
		if end := min(room, room*minTriggerNum/minTriggerDen+marking); end < n*(1-1e-9) {
			t.Fatalf("with a room of %.0f a cycle ends after %.0f bytes, want %.0f", room, end, n)
		}
	})
}
