package main

import (
	"fmt"
	"math"
)

// ratios are the CPU times of several contestants at one work, relative to a
// baseline. A contestant that was not measured is absent.
type ratios struct {
	work string
	of   map[string]float64
}

// drawRatios draws a line for each work with a dot for each contestant, on a
// logarithmic axis. The baseline is the vertical line at 1.
func drawRatios(title, baseline string, contestants []string, all []ratios) string {
	classes := []string{"first", "second", "third", "fourth"}
	const left, right, top, row = 330.0, width - 30.0, 84.0, 30.0
	low, high := math.Inf(1), 1.0
	for _, r := range all {
		for _, v := range r.of {
			low, high = min(low, v), max(high, v)
		}
	}
	low, high = low/1.2, high*1.2
	at := func(v float64) float64 { return left + (right-left)*math.Log(v/low)/math.Log(high/low) }

	d := &drawing{height: top + row*float64(len(all)) + 44}
	d.text(20, 30, "title", "start", title)
	x := left
	for i, c := range contestants {
		d.dot(x, 56, classes[i])
		d.text(x+12, 61, "", "start", c)
		x += 44 + 8*float64(len(c))
	}
	bottom := d.height - 34
	for _, v := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5} {
		if v < low || v > high {
			continue
		}
		class := ""
		if v == 1 {
			class = "grey"
		}
		d.line(at(v), top-6, at(v), bottom, class)
		d.text(at(v), bottom+18, "small", "middle", fmt.Sprintf("%g ×", v))
	}
	d.text(20, bottom+18, "small", "start", "1 × is "+baseline+"; less is better")
	for i, r := range all {
		y := top + row*(float64(i)+0.5)
		d.text(left-16, y+5, "", "end", r.work)
		for j := range contestants { // the first one on top
			c := len(contestants) - 1 - j
			if v, ok := r.of[contestants[c]]; ok {
				d.dot(at(v), y, classes[c])
			}
		}
	}
	return d.svg(title)
}
