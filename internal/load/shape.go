package load

import (
	"fmt"
	"time"
)

// segment is a part of a load in which the rate is constant or changes
// linearly.
type segment struct {
	phase    string // the phase that reports its requests; "" is none
	length   time.Duration
	from, to float64 // rate at its ends, as multiples of the plan's
}

// requests is how many requests the segment sends at a rate of one per second.
func (s segment) requests() float64 { return (s.from + s.to) / 2 * s.length.Seconds() }

// shapes lists for each shape the segments after the warm-up. A shape is refused where
// the plan has no room for it.
var shapes = map[string]func(Plan) ([]segment, error){
	"constant": constant,
	"ramp":     ramp,
	"storm":    storm,
	lifetime:   untilEnd,
}

// lifetime is the shape that continues until the server ends.
const lifetime = "lifetime"

func constant(p Plan) ([]segment, error) {
	return []segment{{"constant", p.Duration, 1, 1}}, nil
}

func untilEnd(p Plan) ([]segment, error) {
	return []segment{{lifetime, p.Duration, 1, 1}}, nil
}

// rampStart is where a ramp begins, as a share of the rate that it climbs to.
const rampStart = 0.1

func ramp(p Plan) ([]segment, error) {
	return []segment{{"ramp", p.Duration, rampStart, 1}}, nil
}

// storm divides the time evenly: calm, a storm, and half of a storm's length
// in which the storm's backlog is answered; that belongs to no phase.
func storm(p Plan) ([]segment, error) {
	rest := p.StormLength / 2
	calm := p.Duration/time.Duration(p.Storms) - p.StormLength - rest
	if calm < p.StormLength/2 {
		return nil, fmt.Errorf(
			"%d storms of %v, with calm between, do not fit into %v; give fewer or shorter ones, or a duration of %v",
			p.Storms, p.StormLength, p.Duration, 2*time.Duration(p.Storms)*(p.StormLength+rest))
	}
	var all []segment
	for range p.Storms {
		all = append(all,
			segment{phase: "calm", length: calm, from: 1, to: 1},
			segment{phase: "storm", length: p.StormLength, from: p.Factor, to: p.Factor},
			segment{phase: "", length: rest, from: 1, to: 1})
	}
	return all, nil
}
