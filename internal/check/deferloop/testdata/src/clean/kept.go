package clean

import (
	"io"
	"os"
	"sync"
)

type set struct {
	files map[string]*os.File
	last  *os.File
}

func appended(names []string) {
	var all []io.Reader
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		all = append(all, f)
	}
	io.Copy(os.Stdout, io.MultiReader(all...))
}

func (s *set) stored(names []string) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		s.files[name] = f
	}
}

func (s *set) last1(names []string) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		s.last = f
	}
}

func sent(names []string, to chan *os.File) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		to <- f
	}
}

func inGoroutines(names []string, read func(*os.File)) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		go read(f)
	}
}

func captured(names []string, register func(func())) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		register(func() { f.Sync() })
	}
}

func inStruct(names []string) {
	var all []struct{ r io.Reader }
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
		all = append(all, struct{ r io.Reader }{f})
	}
}

// Locks of things that live longer are held together on purpose.
func together(locks []*sync.Mutex) {
	for _, l := range locks {
		l.Lock()
		defer l.Unlock()
	}
}

// The flag, not the loop, says how often.
func once(all []int, l *sync.Mutex) {
	locked := false
	for range all {
		if !locked {
			l.Lock()
			defer l.Unlock()
			locked = true
		}
	}
}

func selected(events chan func(), done chan bool) {
	for {
		select {
		case f := <-events:
			defer f()
		case <-done:
			return
		}
	}
}
