package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const stores = `package main

type session struct{ user string }

var (
	sessions = map[string]*session{}
	recent   = map[string]*session{}
)

func open(id string) *session {
	s := &session{id}
	sessions[id] = s
	return s
}

func touch(id string) {
	recent[id] = &session{id}
	delete(recent, id+"-old")
}

func main() {}
`

// grow gives a line so many live objects, in heap profiles a minute apart.
func (s *scene) grow(frame string, live ...int64) *scene {
	s.heaps = nil
	for i, n := range live {
		s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(n*3/2, n, frame+start))
	}
	return s
}

func TestUnboundedGrowth(t *testing.T) {
	t.Run("what a map keeps", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 1e5, 2e5, 3e5, 4e5)
		f := s.wants("unbounded-growth", "sessions[id] = s")
		has(t, f.Title, "sessions only grows")
		if f.Confidence != evidence.High || f.Memory.High < 0.9 {
			t.Errorf("%s, %+v", f.Confidence, f.Memory)
		}
	})
	t.Run("one profile shows no growth", func(t *testing.T) {
		s := newScene(t, stores)
		s.cpu = profiletest.NewCPU().CPU(100, start)
		s.grow(s.frame("open", "s := &session"), 4e5)
		s.wantsNone("unbounded-growth")
	})
	t.Run("one profile of a command that ends", func(t *testing.T) {
		s := newScene(t, stores)
		s.cpu, s.ended = profiletest.NewCPU().CPU(100, start), true
		s.grow(s.frame("open", "s := &session"), 4e5)
		s.wantsNone("unbounded-growth")
	})
	t.Run("a map that is emptied", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("touch", "recent[id] = &"), 1e5, 2e5, 3e5, 4e5, 5e5)
		if f := s.wants("unbounded-growth", "recent[id] = &"); f.Confidence != evidence.Medium {
			t.Errorf("%s", f.Confidence)
		}
	})
	t.Run("a map that is emptied, and hardly watched", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("touch", "recent[id] = &"), 1e5, 2e5, 3e5, 4e5)
		s.wantsNone("unbounded-growth")
	})
	t.Run("what was filled at the start", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 1e5, 4e5, 4e5, 4e5)
		s.wantsNone("unbounded-growth")
	})
	// Memory that lived before the process was killed for it hides nothing.
	t.Run("after a restart", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 8e6, 1e5, 3e6, 6e6)
		s.wants("unbounded-growth", "sessions[id] = s")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, stores).without()
		s.grow(s.frame("open", "s := &session"), 1e5, 2e5, 3e5, 4e5)
		s.wants("unbounded-growth", "s := &session")
	})
}

// A snapshot that is taken right after the last one says the same again.
func TestGrowthWithTheLastProfileTwice(t *testing.T) {
	s := newScene(t, stores)
	s.grow(s.frame("open", "s := &session"), 1e5, 4e5, 7e5)
	s.heaps = append(s.heaps, profiletest.NewHeap(122).Heap(10.5e5, 7e5, s.frame("open", "s := &session")+start))
	s.wants("unbounded-growth", "sessions[id] = s")
}

// A line that makes much garbage may leak as well.
func TestGrowthAmongGarbage(t *testing.T) {
	s := newScene(t, stores)
	frame := s.frame("open", "s := &session")
	s.heaps = []*profiletest.Profile{profiletest.NewHeap(0).Heap(1e8, 1e5, frame+start),
		profiletest.NewHeap(300).Heap(15e7, 4e5, frame+start), profiletest.NewHeap(600).Heap(2e8, 7e5, frame+start)}
	s.wants("unbounded-growth", "sessions[id] = s")
}

// The sampling error of a few large samples leaves it open whether memory still grows at the
// end. Source that never takes from the container decides.
func TestGrowthWithinTheErrorOfSampling(t *testing.T) {
	doubtful := func(t *testing.T, function, text string) *scene {
		s := newScene(t, stores)
		frame := s.frame(function, text) + start
		for i, n := range []int64{1, 4, 7, 8, 8, 9, 10, 11} {
			s.heaps = append(s.heaps, profiletest.NewHeap(int64(60*i)).Heap(n*3<<12, n<<13, frame))
		}
		return s
	}
	t.Run("nothing is taken out", func(t *testing.T) {
		if f := doubtful(t, "open", "s := &session").wants("unbounded-growth", "sessions[id] = s"); f.Confidence != evidence.Medium {
			t.Error(f.Confidence)
		}
	})
	t.Run("entries are deleted", func(t *testing.T) {
		doubtful(t, "touch", "recent[id] = &").wantsNone("unbounded-growth")
	})
}
