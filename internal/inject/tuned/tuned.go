// Package tuned is the source of inject.Tuner, added to a target by go build
// -overlay under the name of the target's own package. Nothing imports it; it
// is a package so that the usual tools check it.
//
// gctune/auto starts on import, with the settings of the environment. This file
// imports it and adds gctune's state to the probe's dump.
package tuned

import (
	heapwrightStrconv "strconv"

	heapwrightTuner "github.com/heapwright/heapwright/gctune"
	_ "github.com/heapwright/heapwright/gctune/auto"
)

var _ = heapwrightProbeTells(func(b []byte) []byte {
	s := heapwrightTuner.Stats()
	b = append(append(append(b, "tuner "...), s.State.String()...), '\n')
	for _, line := range []struct {
		key   string
		bytes uint64
	}{{"tuner-floor ", s.Floor}, {"tuner-ceiling ", s.Ceiling}, {"tuner-limit ", s.Limit}} {
		b = append(heapwrightStrconv.AppendUint(append(b, line.key...), line.bytes, 10), '\n')
	}
	return b
})
