// Package split is a pair for strings that are split only to be looped over:
// samples come with labels in one string, and are summed by some of them. Before,
// the labels of each sample become a slice; after, they are cut off one by one.
package split

import (
	"slices"
	"strconv"
	"strings"
)

// series is the sum of the samples that have a label in common.
type series struct {
	samples int
	value   float64
}

// before sums samples like "route=/cart,code=200,host=web-1 0.5" by labels, for
// each on its own, and returns how many could not be read.
func before(samples []string, by []string, sums map[string]*series) (bad int) {
	for _, s := range samples {
		labels, number, ok := strings.Cut(s, " ")
		value, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil {
			bad++
			continue
		}
		for _, pair := range strings.Split(labels, ",") {
			if name, _, _ := strings.Cut(pair, "="); slices.Contains(by, name) {
				add(sums, pair, value)
			}
		}
	}
	return bad
}

func after(samples []string, by []string, sums map[string]*series) (bad int) {
	for _, s := range samples {
		labels, number, ok := strings.Cut(s, " ")
		value, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil {
			bad++
			continue
		}
		for pair := range strings.SplitSeq(labels, ",") {
			if name, _, _ := strings.Cut(pair, "="); slices.Contains(by, name) {
				add(sums, pair, value)
			}
		}
	}
	return bad
}

func add(sums map[string]*series, key string, value float64) {
	s := sums[key]
	if s == nil {
		s = new(series)
		sums[strings.Clone(key)] = s // A part of a sample would keep all of the sample.
	}
	s.samples++
	s.value += value
}
