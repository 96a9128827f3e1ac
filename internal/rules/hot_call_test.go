package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const hot = `package main

import "slices"

func touch(order []string, key string) int {
	return slices.Index(order, key)
}

func main() {}
`

func TestHotCall(t *testing.T) {
	index := "slices.Index[go.shape.[]string]@/go/src/slices/slices.go:9 "
	t.Run("most of the time", func(t *testing.T) {
		s := newScene(t, hot)
		s.cpu = profiletest.NewCPU().CPU(70, "memeqbody@/go/src/internal/bytealg/equal.s:1 "+index+s.frame("touch", "slices.Index")+start).CPU(30, start)
		f := s.wants("hot-call", "slices.Index")
		has(t, f.Title, "70% of the CPU time is in slices.Index")
		has(t, f.Remedy, "constant time")
		if f.Ceiling() != 0 {
			t.Errorf("it claims to save %v", f.Ceiling())
		}
	})
	t.Run("a part of it", func(t *testing.T) {
		s := newScene(t, hot)
		s.cpu = profiletest.NewCPU().CPU(30, index+s.frame("touch", "slices.Index")+start).CPU(70, start)
		s.wantsNone("hot-call")
	})
	t.Run("few samples", func(t *testing.T) {
		s := newScene(t, hot)
		s.cpu = profiletest.NewCPU().CPU(15, index+s.frame("touch", "slices.Index")+start).CPU(5, start)
		s.wantsNone("hot-call")
	})
	t.Run("in the runtime", func(t *testing.T) {
		s := newScene(t, hot)
		s.cpu = profiletest.NewCPU().CPU(100, "runtime.memmove@/go/src/runtime/m.s:1 "+s.frame("touch", "slices.Index")+start)
		s.wantsNone("hot-call")
	})
}

const counted = `package main

import "github.com/prometheus/client_golang/prometheus"

func take(rows, bytes *prometheus.CounterVec, last *prometheus.GaugeVec, table string) {
	rows.WithLabelValues(table).Inc()
	bytes.WithLabelValues(table).Add(1)
	last.WithLabelValues(table).Set(2)
}

func main() {}
`

// Calls with one remedy are one finding, though none of them alone takes much time.
func TestHotCalls(t *testing.T) {
	s := newScene(t, counted)
	s.without()
	vec := func(kind string) string {
		return "github.com/prometheus/client_golang/prometheus.(*" + kind +
			"Vec).WithLabelValues@/go/pkg/mod/github.com/prometheus/client_golang@v1.23.2/prometheus/vec.go:9 "
	}
	s.cpu = profiletest.NewCPU().CPU(35, vec("Counter")+s.frame("take", "rows.With")+start).
		CPU(25, vec("Counter")+s.frame("take", "bytes.With")+start).CPU(20, vec("Gauge")+s.frame("take", "last.With")+start).CPU(20, start)
	f := s.wants("hot-call", "rows.With")
	has(t, f.Title, "80% of the CPU time is in prometheus.(*CounterVec).WithLabelValues")
	has(t, f.Remedy, "keep the metric that it returns")
}
