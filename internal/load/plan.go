// Package load puts open-loop load on a server and measures its answers.
//
// Requests are sent when they are due, whether or not earlier ones were answered, and a
// latency starts when its request was due. So a server that stalls pays for all requests
// that were due meanwhile (coordinated omission is excluded). The package knows requests,
// answers and latencies. Other packages know processes, their CPU time and their memory.
//
// github.com/tsenart/vegeta sends the requests. Its latencies start when a request is
// sent, which is too late if the machine is short of processors. So the schedule is this
// package's own, and latencies are taken from it.
package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Plan is the shape and duration of the load on a server. The rate is not part of
// it: see Run.
type Plan struct {
	Shape       string        `json:"shape"`           // one of Shapes; "" is constant
	Warmup      time.Duration `json:"warmup_ns"`       // the load before anything is measured; 0 is 3 s, negative is none
	Duration    time.Duration `json:"duration_ns"`     // the time of all that follows; 0 is 20 s
	Factor      float64       `json:"storm_factor"`    // how many times the calm rate a storm is; 0 is 20
	Storms      int           `json:"storms"`          // 0 is 3
	StormLength time.Duration `json:"storm_length_ns"` // the duration of each storm; 0 is 2 s
}

// WithDefaults returns the plan with every field set, or an error that says why it cannot be
// carried out.
func (p Plan) WithDefaults() (Plan, error) {
	if p.Shape == "" {
		p.Shape = "constant"
	}
	if p.Warmup == 0 {
		p.Warmup = 3 * time.Second
	}
	if p.Duration == 0 {
		p.Duration = 20 * time.Second
	}
	if p.Factor == 0 {
		p.Factor = 20 // as in the article that made memory ballasts known
	}
	if p.Storms == 0 {
		p.Storms = 3
	}
	if p.StormLength == 0 {
		p.StormLength = 2 * time.Second
	}
	p.Warmup = max(0, p.Warmup)
	shape, ok := shapes[p.Shape]
	switch {
	case !ok:
		return p, fmt.Errorf("no load shape %q; give one of %s", p.Shape, strings.Join(Shapes(), ", "))
	case p.Duration < 0 || p.StormLength < 0 || p.Storms < 0:
		return p, fmt.Errorf("durations and numbers of a load cannot be negative")
	case !(p.Factor > 1) || p.Factor > maxFactor:
		return p, fmt.Errorf("a storm of %g times the calm rate: give a factor above 1, at most %d",
			p.Factor, maxFactor)
	}
	_, err := shape(p)
	return p, err
}

const maxFactor = 10_000

// UntilEnd reports whether the server is expected to end under the load, which
// then ends with it.
func (p Plan) UntilEnd() bool { return p.Shape == lifetime }

// Shapes returns the names of all shapes.
func Shapes() []string { return slices.Sorted(maps.Keys(shapes)) }

// Phases returns the names of the phases that are measured, in the order in
// which they first come.
func (p Plan) Phases() []string {
	var names []string
	for _, s := range p.segments() {
		if s.phase != "" && !slices.Contains(names, s.phase) {
			names = append(names, s.phase)
		}
	}
	return names
}

// Peak returns the highest rate as a multiple of the plan's rate.
func (p Plan) Peak() float64 {
	peak := 0.0
	for _, s := range p.segments() {
		peak = max(peak, s.from, s.to)
	}
	return peak
}

// Requests returns the number of requests of a phase at a rate of one request per second. For
// "" it is the number of all measured phases together. At other rates, the number is a multiple
// of that.
func (p Plan) Requests(phase string) float64 {
	sum := 0.0
	for _, s := range p.segments() {
		if s.phase != "" && (phase == "" || s.phase == phase) {
			sum += s.requests()
		}
	}
	return sum
}

// Length returns the duration of the load, including the warm-up.
func (p Plan) Length() time.Duration { return p.Warmup + p.Duration }

// Brief returns the plan with a quarter of its duration, if its shape allows that.
func (p Plan) Brief() Plan {
	brief := p
	brief.Warmup, brief.Duration = p.Warmup/4, p.Duration/4
	if _, err := shapes[p.Shape](brief); err != nil || p.UntilEnd() {
		return p
	}
	return brief
}

// segments returns the parts of a plan that has its defaults, the warm-up at
// the load's peak first.
func (p Plan) segments() []segment {
	segments, _ := shapes[p.Shape](p) // WithDefaults has seen its error
	if p.Warmup == 0 {
		return segments
	}
	peak := 0.0
	for _, s := range segments {
		peak = max(peak, s.from, s.to)
	}
	// At the calm rate a large heap would take minutes to reach its size, and
	// a measurement would then see it touch new memory. The last quarter lets
	// the backlog be answered.
	rest := p.Warmup / 4
	return append([]segment{{"", p.Warmup - rest, peak, peak}, {"", rest, 1, 1}}, segments...)
}
