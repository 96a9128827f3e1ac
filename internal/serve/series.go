package serve

import (
	"context"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// Series is a figure of a service over time, its processes added up.
type Series struct {
	Name, Unit string
	Points     []Point
}

// Point is a value at a time.
type Point struct {
	Time  time.Time
	Value float64
}

// mostPoints is how many points a curve has: one for each few pixels.
const mostPoints = 120

// Series returns the curves of a window: CPU and memory, live heap and goroutines.
func (s *Server) Series(ctx context.Context, w Window) ([]Series, error) {
	entries, err := s.store.Select(ctx, w.query(""))
	if err != nil {
		return nil, err
	}
	cores := Series{Name: "CPU", Unit: "cores", Points: curve(w, entries, func(e *store.Entry) (float64, bool) {
		v, ok := e.Figure("cpu")
		return float64(v) / float64(max(1, e.Duration)), ok && e.Kind == store.CPU && e.Duration > 0
	})}
	memory := Series{Name: "memory", Unit: "bytes", Points: curve(w, entries, func(e *store.Entry) (float64, bool) {
		v := scrape.Used(e)
		return float64(v), e.Kind == store.Figures && v > 0
	})}
	live := Series{Name: "live heap", Unit: "bytes", Points: curve(w, entries, func(e *store.Entry) (float64, bool) {
		v, ok := e.Figure("inuse_space")
		return float64(v), ok
	})}
	goroutines := Series{Name: "goroutines", Unit: "count"}
	goroutines.Points = curve(w, entries, func(e *store.Entry) (float64, bool) {
		if e.Kind != store.Goroutine || len(e.Figures) == 0 {
			return 0, false
		}
		return float64(e.Figures[0].Value), true
	})
	all := []Series{cores, memory, live, goroutines}
	return slices.DeleteFunc(all, func(s Series) bool { return len(s.Points) == 0 }), nil
}

// curve returns the sum over the processes in each slot of the window: the mean of each
// process's values there, which holds until its next one.
func curve(w Window, entries []store.Entry, value func(*store.Entry) (float64, bool)) []Point {
	slot := max(w.To.Sub(w.From)/mostPoints, 1)
	type mean struct {
		at       int
		total, n float64
	}
	processes := map[string][]mean{}
	for i := range entries {
		e := &entries[i]
		v, ok := value(e)
		at := int(e.Time.Sub(w.From) / slot)
		if !ok || at < 0 || at > mostPoints {
			continue
		}
		id := e.Labels["instance"]
		of := processes[id]
		if len(of) == 0 || of[len(of)-1].at != at {
			of = append(of, mean{at: at})
		}
		of[len(of)-1].total += v
		of[len(of)-1].n++
		processes[id] = of
	}
	var sums [mostPoints + 1]float64
	var known [mostPoints + 1]bool
	for _, of := range processes {
		for i, m := range of {
			until := m.at + 1
			if i+1 < len(of) {
				until = of[i+1].at
			}
			for at := m.at; at < until; at++ {
				sums[at] += m.total / m.n
				known[at] = true
			}
		}
	}
	var points []Point
	for at, v := range sums {
		if known[at] {
			points = append(points, Point{w.From.Add(time.Duration(at)*slot + slot/2), v})
		}
	}
	return points
}
