package arena

import (
	"runtime"
	"testing"
	"time"
	"weak"
)

// collected runs the collector until gone reports true, or gives up.
func collected(gone func() bool) bool {
	for range 20 {
		runtime.GC()
		if gone() {
			return true
		}
	}
	return false
}

func TestReleasesHeapValues(t *testing.T) {
	for name, end := range map[string]func(*Arena){
		"Reset": (*Arena).Reset,
		"Free":  (*Arena).Free,
		"drop":  func(*Arena) {},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "drop" && Backend == "goarena" {
				t.Skip("Go's arenas keep a chunk that is not full for the next one, uncleared")
			}
			a := NewArena()
			s := NewSlab[node](a)
			w := func() weak.Pointer[node] {
				heap := &node{value: 7}
				w := weak.Make(heap)
				n := s.New()
				n.left = heap
				runtime.GC()
				if w.Value() == nil {
					t.Fatal("the collector does not see a pointer from the arena to the heap")
				}
				runtime.KeepAlive(n)
				return w
			}()
			end(a)
			if name == "drop" {
				a, s = nil, nil
			}
			if !collected(func() bool { return w.Value() == nil }) {
				t.Error("the arena still holds on to a heap value")
			}
			runtime.KeepAlive(a)
			runtime.KeepAlive(s)
		})
	}
}

// watched returns two heap values whose ends close the channels: that of the
// first by a cleanup, that of the second by a finalizer.
func watched(cleaned, finalized chan struct{}) (*node, *node) {
	x, y := &node{value: 7}, &node{value: 8}
	runtime.AddCleanup(x, func(c chan struct{}) { close(c) }, cleaned)
	runtime.SetFinalizer(y, func(*node) { close(finalized) })
	return x, y
}

// await runs the collector until the channels are closed.
func await(t *testing.T, channels ...chan struct{}) {
	t.Helper()
	tooLong := time.After(time.Minute)
	for _, c := range channels {
		runtime.GC()
		select {
		case <-c:
		case <-tooLong:
			t.Fatal("a heap value is dead, but its cleanup or finalizer has not run")
		}
	}
}

func TestCleanupsAndFinalizersOfHeapValues(t *testing.T) {
	for name, end := range map[string]func(*Arena){"Reset": (*Arena).Reset, "Free": (*Arena).Free} {
		t.Run(name, func(t *testing.T) {
			a := NewArena()
			cleaned, finalized := make(chan struct{}), make(chan struct{})
			n := New[node](a)
			n.left, n.right = watched(cleaned, finalized)
			for range 3 { // those of values that nothing holds do run
				c, f := make(chan struct{}), make(chan struct{})
				watched(c, f)
				await(t, c, f)
			}
			select {
			case <-cleaned:
				t.Error("a cleanup ran while the arena held its value")
			case <-finalized:
				t.Error("a finalizer ran while the arena held its value")
			default:
			}
			if n.left.value != 7 || n.right.value != 8 {
				t.Errorf("the arena's values read %d and %d", n.left.value, n.right.value)
			}
			end(a)
			await(t, cleaned, finalized)
			runtime.KeepAlive(a)
		})
	}
}
