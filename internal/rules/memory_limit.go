package rules

import (
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var memoryLimit = &finding.Rule{
	Name:  "memory-limit",
	Title: noRoom,
	Doc: `Finds a heap goal close above the live heap, or below it, as a memory limit sets it that the live heap nearly
fills: collections then follow each other at once, although GOGC would let the heap double. It needs the heap goal and
the live heap. The limit is what the process publishes, or follows from the goal. The remedy names the limit at which
collecting would take 5% of the CPU time, or the one at which GOGC sets the goal. It is wrong if a small GOGC keeps the
goal down; where the profiles leave that open, the remedy says both.`,
	Remedy:  "Raise the memory limit, or keep less memory alive. A larger GOGC changes nothing below the limit.",
	Example: "GOMEMLIMIT=1GiB ./program",
	Risk:    "The process takes that much more memory. The limit of its container has to be higher still.",
	Setting: true,
	Find:    findMemoryLimit,
}

const noRoom = "a memory limit leaves no room above the live heap"

const (
	// modestCollecting is the share of CPU time that GC may take after the remedy.
	modestCollecting = 0.05
	// headroom is the share of the goal that the runtime keeps below a memory limit
	// (memoryLimitHeapGoalHeadroomPercent of mgcpacer.go).
	headroom = 0.03
	// mostPercent is the largest GOGC to propose beside a limit.
	mostPercent = 500
	// sureLimit is the ratio of goal to live heap up to which only a limit can be the reason:
	// nobody sets a GOGC of 5.
	sureLimit = 1.05
	// leastSlack is the room for garbage, as a share of the live heap, that a limit
	// needs so that a live heap that varies does not meet it again.
	leastSlack = 0.25
)

// A goalKeeper is the setting that keeps the heap goal close to the live heap.
type goalKeeper struct {
	close          bool
	limit, percent bool              // one of the two may be why, or both
	at             source.Allocation // the call that sets it; zero where none is known
	bytes          evidence.Known    // the limit, as published or as it follows from the goal
}

// keeperOf finds the setting that keeps the heap goal down.
func keeperOf(e *evidence.Evidence) (k goalKeeper) {
	rt := &e.Runtime
	if e.Collections.ByGoal == 0 || e.Costs.Samples == 0 || e.Costs.Collecting.Low < busyCollecting {
		return k
	}
	k = goalKeeper{close: true, limit: true, percent: true}
	if beside := besideHeap(rt); beside.OK {
		k.bytes = evidence.Known{Value: rt.Goal.Value/(1-headroom) + beside.Value, OK: true}
	}
	limits, percents := settingCalls(e, "SetMemoryLimit"), settingCalls(e, "SetGCPercent")
	switch set, known := percentOf(percents); {
	case rt.Goal.Value <= sureLimit*planLimit(e).live, rt.Percent.OK && rt.Percent.Value > 50, known && set > 50:
		k.percent = false
	case rt.Percent.OK, rt.Limit.OK && k.bytes.OK && rt.Limit.Value > farLimit*k.bytes.Value:
		k.limit = false
	case rt.Limit.OK:
		k.percent = false
	case known:
		k.limit, k.at = false, percents[0]
	case len(limits) > 0:
		k.percent = false
	}
	if k.limit && len(limits) > 0 {
		k.at = limits[0]
	}
	if rt.Limit.OK {
		k.bytes = rt.Limit
	}
	return k
}

// farLimit is how much larger than the goal's own limit a published one may be.
const farLimit = 1.3

// besideHeap returns the memory of the runtime outside heap objects that counts against a
// limit: stacks, spans, fragmentation.
func besideHeap(rt *evidence.Runtime) evidence.Known {
	return evidence.Known{Value: max(0, rt.Sys.Value-rt.Idle.Value-rt.Objects.Value), OK: rt.Sys.OK && rt.Idle.OK && rt.Objects.OK}
}

var percentSet = regexp.MustCompile(`SetGCPercent\((-?\d+)\)`)

// percentOf returns the GOGC that a call sets, if that is a number. Off counts as a large
// number.
func percentOf(calls []source.Allocation) (percent int, ok bool) {
	if len(calls) != 1 {
		return 0, false
	}
	m := percentSet.FindStringSubmatch(calls[0].Text)
	if m == nil {
		return 0, false
	}
	percent, err := strconv.Atoi(m[1])
	if percent < 0 {
		percent = math.MaxInt32
	}
	return percent, err == nil
}

func findMemoryLimit(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	k := keeperOf(e)
	if !k.close || !k.limit {
		return nil
	}
	p := planLimit(e)
	cost, spares := e.Costs.Collection*(1-e.Collections.ByForce), p.spares()
	f := finding.Finding{CPU: evidence.Range{Low: 0.75 * cost * spares, High: cost * spares}, Confidence: evidence.High}
	f.Evidence = []finding.Figure{{Name: "live", Value: p.live, Unit: "bytes"}, {Name: "heap goal", Value: e.Runtime.Goal.Value, Unit: "bytes"}}
	now := ""
	if k.bytes.OK {
		name := "memory limit, by the goal"
		if e.Runtime.Limit.OK {
			name = "memory limit"
		}
		f.Evidence = append(f.Evidence, finding.Figure{Name: name, Value: k.bytes.Value, Unit: "bytes"})
		now = " from about " + mebibytes(k.bytes.Value)
	}
	f.Evidence = append(f.Evidence, finding.Figure{Name: "CPU time collecting", Value: e.Costs.Collection, Unit: "fraction"})
	if c := e.Collections.Cycles; c.OK {
		f.Evidence = append(f.Evidence, finding.Figure{Name: "collections", Value: c.Value, Unit: "count"})
	}
	f.Title = "collecting takes " + format.RoughShare(e.Costs.Collection) + " of CPU: the memory limit leaves it no room"
	f.Remedy = fmt.Sprintf("Raise GOMEMLIMIT (debug.SetMemoryLimit)%s to %s: %s fewer collections, which then take about %s of the CPU time.%s "+
		"Or keep less memory alive. A larger GOGC alone changes nothing below the limit.", now, mebibytes(p.limit), format.RoughShare(spares), format.RoughShare(p.cost(p.room)), p.further())
	if k.percent {
		f.Title = "collecting takes " + format.RoughShare(e.Costs.Collection) + " of CPU: the heap goal is " +
			"close to the live heap"
		f.Confidence = evidence.Medium
		f.Remedy = "If a memory limit keeps the goal down: " + f.Remedy + fmt.Sprintf(" If GOGC is about %.0f "+
			"instead, set GOGC=100.", 100*(e.Runtime.Goal.Value/p.live-1))
	}
	f.Example = "GOMEMLIMIT=" + mebibytes(p.limit) + " ./program"
	f.Exact = true // counters of the runtime
	if k.at.Line > 0 {
		f.File, f.Line, f.Function = k.at.File, k.at.Line, k.at.In()
		f.Source, _ = e.Source.Line(f.File, f.Line)
	}
	return []finding.Finding{f}
}

// limitPlan is a memory limit to propose. Its sizes are in bytes.
type limitPlan struct {
	live, beside float64
	now, room    float64 // room for garbage between two collections
	ratio        float64 // the collector's CPU time now, divided by all other CPU time
	limit        float64
}

// planLimit chooses the limit at which collecting takes modestCollecting of the CPU
// time, at most the one below which GOGC=100 sets the goal: beyond, the limit
// changes nothing.
func planLimit(e *evidence.Evidence) limitPlan {
	c := e.Costs.Collection * (1 - e.Collections.ByForce)
	p := limitPlan{
		live: e.Live.Value, beside: besideHeap(&e.Runtime).Value,
		now: e.Collections.Room.Value, ratio: c / max(1-c, 1/max(e.Costs.Samples, 100)),
	}
	p.room = max(leastSlack*p.live, min(p.modest(), p.live))
	p.limit = p.limitFor(p.room)
	return p
}

// modest returns the room at which collecting takes modestCollecting. The cost of a
// collection stays, and their number falls with the room.
func (p *limitPlan) modest() float64 {
	return p.now * p.ratio * (1 - modestCollecting) / modestCollecting
}

// cost returns the share of CPU time that collecting takes with that room.
func (p *limitPlan) cost(room float64) float64 {
	ratio := p.ratio * p.now / room
	return ratio / (1 + ratio)
}

// spares returns the share of collections that the limit avoids.
func (p *limitPlan) spares() float64 { return max(0, 1-p.now/p.room) }

// limitFor returns the limit that leaves that room, in whole 16 MiB.
func (p *limitPlan) limitFor(room float64) float64 {
	const step = 16 << 20
	return math.Ceil(((p.live+room)/(1-headroom)+p.beside)/step) * step
}

// further returns a sentence on what else is needed, if the limit alone is not enough.
func (p *limitPlan) further() string {
	percent := math.Ceil(p.modest()/p.live*10) * 10
	if p.cost(p.room) < 1.2*modestCollecting || percent > mostPercent {
		return ""
	}
	return fmt.Sprintf(" %s takes GOGC=%.0f with GOMEMLIMIT=%s.", format.RoughShare(modestCollecting), percent,
		mebibytes(p.limitFor(p.modest())))
}
