package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const beside = `package main

import (
	"bytes"
	"encoding/json"
	"net/http"
)

type values struct{ of map[*http.Request]map[int]any }

func (v *values) set(r *http.Request, k int, x any) {
	if v.of[r] == nil {
		v.of[r] = map[int]any{}
	}
	v.of[r][k] = x
}

func (v *values) clear(r *http.Request) { delete(v.of, r) }

type session struct {
	Key    string
	Rights map[string]string
}

var stored = map[string][]byte{}

func save(s *session) {
	text, _ := json.Marshal(s)
	stored[s.Key] = text
}

func load(key string) *session {
	s := &session{}
	json.Unmarshal(stored[key], s)
	return s
}

func (v *values) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := load(r.URL.Path)
		go func() {
			save(s)
			v.set(r, 1, s)
		}()
		next.ServeHTTP(w, r)
		v.clear(r)
	})
}

var out bytes.Buffer

func record(line []byte) { out.Write(line) }

func main() {}
`

// The text that is stored is another object than the session which was encoded, and a handler
// may call all handlers of the program, too many to be followed.
func TestAddedAfterItWasRemoved(t *testing.T) {
	s := newScene(t, beside)
	s.grow(s.frame("load", "json.Unmarshal(")+s.frame("(*values).limit.func1", "s := load("),
		1e5, 2e5, 3e5, 4e5, 5e5)
	f := s.wants("unbounded-growth", "v.of[r] = map[int]any{}")
	has(t, f.Remedy, "A goroutine adds to it (main.go:")
	has(t, f.Remedy, "before the goroutine starts")
}

// leaps gives a line a single object that becomes larger by leaps.
func (s *scene) leaps(frame string, mib ...int64) *scene {
	s.heaps = nil
	made, bytes := int64(0), int64(0)
	for i, n := range mib {
		other := int64(1000 * (i + 1)) // each profile is of another collection
		if i == 0 || n != mib[i-1] {
			made, bytes = made+1, bytes+n<<20
		}
		heap := profiletest.NewHeap(int64(2*i)).Heap(other, 0, start)
		s.heaps = append(s.heaps, heap.Add(frame+start, made, bytes, 1, n<<20))
	}
	return s
}

func TestABufferIsOnlyWrittenTo(t *testing.T) {
	const grow = "bytes.growSlice@/go/src/bytes/buffer.go:267 bytes.(*Buffer).Write@/go/src/bytes/buffer.go:197 "
	t.Run("by leaps", func(t *testing.T) {
		s := newScene(t, beside)
		s.leaps(grow+s.frame("record", "out.Write("), 2, 8, 8, 8, 8, 16, 16, 16, 16, 16)
		f := s.wants("unbounded-growth", "out.Write(")
		has(t, f.Title, "a buffer that is written to, and never emptied")
		if f.Confidence != evidence.Medium {
			t.Error(f.Confidence)
		}
	})
	t.Run("once, at the start", func(t *testing.T) {
		s := newScene(t, beside)
		s.leaps(grow+s.frame("record", "out.Write("), 2, 8, 16, 16, 16, 16, 16, 16, 16, 16)
		s.wantsNone("unbounded-growth")
	})
	t.Run("and it shrinks", func(t *testing.T) {
		s := newScene(t, beside)
		s.leaps(grow+s.frame("record", "out.Write("), 2, 8, 2, 2, 8, 16, 8, 8, 16, 16)
		s.wantsNone("unbounded-growth")
	})
}
