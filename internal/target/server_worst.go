package target

import (
	"time"

	"github.com/heapwright/heapwright/internal/probe"
)

// worstSecond finds the second of a phase in which collections took the most
// of all processors, idle marking included: the figure that a cap on their CPU
// limits. The runtime counts a collection when it ends, so a second in which a long
// one ends can show more than the processors have.
type worstSecond struct {
	recent []moment // the moments of the last second and one before them
	share  float64
	known  bool
}

type moment struct {
	at time.Time
	gc float64 // CPU seconds until then
}

// begin starts a stretch: no second reaches back over its border.
func (w *worstSecond) begin() { w.recent = nil }

// add takes the dump of a moment.
func (w *worstSecond) add(at time.Time, d probe.Dump) {
	gc, procs := d.CollectorCPU()
	if procs == 0 {
		return
	}
	w.recent = append(w.recent, moment{at, gc})
	for len(w.recent) > 1 && at.Sub(w.recent[1].at) >= time.Second {
		w.recent = w.recent[1:]
	}
	first := w.recent[0]
	if length := at.Sub(first.at); length >= time.Second {
		w.share, w.known = max(w.share, (gc-first.gc)/(length.Seconds()*float64(procs))), true
	}
}

const worstMetric = "worst-gc-cpu-fraction"

// figures returns the share, none where no stretch took a second.
func (w *worstSecond) figures() map[string]float64 {
	if !w.known {
		return nil
	}
	return map[string]float64{worstMetric: w.share}
}
