package diagnose

import "testing"

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

// grow makes a line's live objects what is given, in heap profiles a minute apart.
func (s *scene) grow(frame string, live ...int64) *scene {
	s.heaps = nil
	for i, n := range live {
		s.heaps = append(s.heaps, madeHeap(int64(60*i)).heap(n*3/2, n, frame+start))
	}
	return s
}

func TestUnboundedGrowth(t *testing.T) {
	t.Run("what a map keeps", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 1e5, 2e5, 3e5, 4e5)
		f := s.wants("unbounded-growth", "sessions[id] = s")
		has(t, f.Title, "sessions only grows")
		if f.Confidence != High || f.Memory.High < 0.9 {
			t.Errorf("%s, %+v", f.Confidence, f.Memory)
		}
	})
	t.Run("one profile", func(t *testing.T) {
		s := newScene(t, stores)
		s.cpu = madeCPU().cpu(100, start)
		s.grow(s.frame("open", "s := &session"), 4e5)
		if f := s.wants("unbounded-growth", "sessions[id] = s"); f.Confidence != Medium {
			t.Errorf("%s", f.Confidence)
		}
	})
	t.Run("a map that is emptied", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("touch", "recent[id] = &"), 1e5, 2e5, 3e5, 4e5)
		if f := s.wants("unbounded-growth", "recent[id] = &"); f.Confidence != Low {
			t.Errorf("%s", f.Confidence)
		}
	})
	t.Run("what was filled at the start", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 1e5, 4e5, 4e5, 4e5)
		s.wantsNone("unbounded-growth")
	})
	// What lived before the process was killed for it hides nothing.
	t.Run("after a restart", func(t *testing.T) {
		s := newScene(t, stores)
		s.grow(s.frame("open", "s := &session"), 8e6, 1e5, 3e6)
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
	s.grow(s.frame("open", "s := &session"), 1e5, 4e5)
	s.heaps = append(s.heaps, madeHeap(62).heap(6e5, 4e5, s.frame("open", "s := &session")+start))
	s.wants("unbounded-growth", "sessions[id] = s")
}

// A line that makes much garbage may leak as well.
func TestGrowthAmongGarbage(t *testing.T) {
	s := newScene(t, stores)
	frame := s.frame("open", "s := &session")
	s.heaps = []*made{madeHeap(0).heap(1e8, 1e5, frame+start), madeHeap(600).heap(2e8, 4e5, frame+start)}
	s.wants("unbounded-growth", "sessions[id] = s")
}
