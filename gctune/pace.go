package gctune

import (
	"math"
	"math/bits"
)

// heap is the heap after the last cycle, in the pacer's terms, in bytes.
type heap struct {
	live    uint64 // marked objects, those allocated during marking included
	stacks  uint64 // stack space that was scanned
	globals uint64 // global variables that can be scanned
}

// scan is the memory that GOGC is a percentage of: since Go 1.18 stacks and globals
// count (mgcpacer.go, commit).
func (h heap) scan() uint64 { return h.live + h.stacks + h.globals }

// minHeapAt100 is the heap minimum at GOGC=100 (mgcpacer.go,
// defaultHeapMinimum); it scales with GOGC.
const minHeapAt100 = 4 << 20

// minTrigger is the earliest point on the way from the live heap to the goal
// at which the pacer starts a cycle (mgcpacer.go, minTriggerRatioNum and Den).
const minTriggerNum, minTriggerDen = 45, 64

// goal is the heap goal that the runtime computes at the end of a cycle for a
// GOGC, before it considers the memory limit (mgcpacer.go, commit).
func (h heap) goal(gogc int) uint64 {
	if gogc < 0 {
		return math.MaxUint64
	}
	return max(saturatingAdd(h.live, percent(h.scan(), gogc)), percent(minHeapAt100, gogc))
}

// gogc is the inverse of goal: the smallest GOGC whose goal is not below the
// given one. It is at least 1, since 0 would collect without end.
func (h heap) gogc(goal uint64) int {
	p := inPercent(goal, minHeapAt100)
	if scan := h.scan(); scan > 0 {
		p = min(p, inPercent(goal-min(goal, h.live), scan))
	}
	return int(max(p, 1))
}

// goalToStartAt is the goal with which no cycle starts before the heap has
// reached floor.
func (h heap) goalToStartAt(floor uint64) uint64 {
	if floor <= h.live {
		return 0
	}
	return h.live + ((floor-h.live)/minTriggerNum+1)*minTriggerDen
}

// roomFor is the room over the live heap with which no cycle ends before the
// program has allocated n bytes, if it allocates marking bytes while a cycle
// marks at its fastest. The pacer reckons without the marking that processors
// do which are idle (mgcpacer.go, commit, on the runway): it starts the cycle at
// 45/64 of the way, and that ends before the goal.
func roomFor(n, marking float64) float64 {
	return max(n, (n-marking)*minTriggerDen/minTriggerNum)
}

func percent(n uint64, p int) uint64 {
	hi, lo := bits.Mul64(n, uint64(p))
	if hi >= 100 {
		return math.MaxUint64
	}
	q, _ := bits.Div64(hi, lo, 100)
	return q
}

// inPercent is 100*n/of, rounded up, within the range of SetGCPercent.
func inPercent(n, of uint64) uint64 {
	hi, lo := bits.Mul64(n, 100)
	if hi >= of {
		return math.MaxInt32
	}
	q, rest := bits.Div64(hi, lo, of)
	if rest > 0 {
		q++
	}
	return min(q, math.MaxInt32)
}

func saturatingAdd(a, b uint64) uint64 {
	if s, carry := bits.Add64(a, b, 0); carry == 0 {
		return s
	}
	return math.MaxUint64
}

// The runtime keeps this share of the limit, at least a mebibyte, free for
// its own inaccuracy (mgcpacer.go, memoryLimitHeapGoalHeadroomPercent,
// memoryLimitMinHeapGoalHeadroom).
const headroomPercent, headroomLeast = 3, 1 << 20

// highestGoal is the heap goal that the runtime allows under a memory limit.
func highestGoal(limit int64, nonHeap uint64) uint64 {
	if limit <= 0 || uint64(limit) <= nonHeap {
		return 0
	}
	goal := uint64(limit) - nonHeap
	headroom := max(goal/100*headroomPercent, headroomLeast)
	return goal - min(goal, headroom)
}
