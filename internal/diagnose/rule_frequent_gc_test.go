package diagnose

import "testing"

func TestFrequentGC(t *testing.T) {
	t.Run("small heap", func(t *testing.T) {
		s := newScene(t, nodes)
		s.churn("runtime.newobject", s.frame("load", "head = &node"))
		f := s.wants("frequent-gc", "")
		// 64 MB a goal of 4 MiB can be raised 16-fold.
		has(t, f.Remedy, "heap floor of 64 MiB, or GOGC=1600 with GOMEMLIMIT=128MiB")
		has(t, f.Example, "MinHeap: 64 << 20")
		if f.File != "" || f.CPU.High < 0.2 {
			t.Errorf("%q, %+v", f.File, f.CPU)
		}
	})
	t.Run("large heap", func(t *testing.T) {
		s := newScene(t, nodes)
		s.heaps[0].heap(2e6, 1e6, s.frame("load", "head = &node")+start)
		s.wantsNone("frequent-gc")
	})
	t.Run("idle collector", func(t *testing.T) {
		s := newScene(t, nodes)
		s.cpu = madeCPU().cpu(1, worker).cpu(99, start)
		s.wantsNone("frequent-gc")
	})
}
