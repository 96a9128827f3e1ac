package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// A comment says whether the array keeps the element that is taken.
const stacks = `package main

import "container/heap"

type job struct{ body []byte }

type pile []*job

func (p pile) Len() int           { return len(p) }
func (p pile) Less(i, j int) bool { return len(p[i].body) < len(p[j].body) }
func (p pile) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *pile) Push(x any)        { *p = append(*p, x.(*job)) }
func (p *pile) Pop() any {
	all := *p
	j := all[len(all)-1]
	*p = all[:len(all)-1] // stays
	return j
}

type server struct {
	waiting pile
	done    []*job
	ids     []int
}

func (s *server) wait() {
	j := &job{}
	heap.Push(&s.waiting, j)
}

func (s *server) next() *job { return heap.Pop(&s.waiting).(*job) }

func (s *server) finish() {
	j := new(job)
	s.done = append(s.done, j)
}

func (s *server) forget() {
	s.done[len(s.done)-1] = nil
	s.done = s.done[:len(s.done)-1] // overwritten
}

func main() {}
`

// The array of a slice keeps elements that are taken from its end and not overwritten.
func TestPopped(t *testing.T) {
	for function, line := range map[string]string{"(*server).wait": "j := &job{}", "(*server).finish": "j := new(job)"} {
		t.Run(function, func(t *testing.T) {
			s := newScene(t, stacks)
			s.cpu = profiletest.NewCPU()
			s.heaps[0].Heap(3e7, 2e7, s.frame(function, line)+start)
			for _, f := range s.find() {
				if f.Rule != "large-holder" {
					continue
				}
				keeps := strings.Contains(f.Title, "the array of s.waiting keeps what was taken from it (main.go:16)")
				if keeps != (function == "(*server).wait") || keeps && f.Memory.High < 0.9 {
					t.Errorf("%s: %s, %+v", function, f.Title, f.Memory)
				}
				return
			}
			t.Error("no large holder")
		})
	}
}

const batches = `package main

type span struct{ body []byte }

type processor struct {
	queue, toClear, toNil    chan *span
	batch, cleared, niled []*span
}

func (p *processor) end(body []byte) {
	s := &span{body}
	p.queue <- s
}

func (p *processor) run() {
	for s := range p.queue {
		p.batch = append(p.batch, s)
		if len(p.batch) == cap(p.batch) {
			export(p.batch)
			p.batch = p.batch[:0]
		}
	}
}

func (p *processor) endCleared(body []byte) {
	s := &span{body[1:]}
	p.toClear <- s
}

func (p *processor) runCleared() {
	for s := range p.toClear {
		p.cleared = append(p.cleared, s)
		if len(p.cleared) == cap(p.cleared) {
			clear(p.cleared)
			p.cleared = p.cleared[:0]
		}
	}
}

func (p *processor) endNiled(body []byte) {
	s := &span{body[2:]}
	p.toNil <- s
}

func (p *processor) runNiled() {
	for s := range p.toNil {
		p.niled = append(p.niled, s)
		if len(p.niled) == cap(p.niled) {
			for i := range p.niled {
				p.niled[i] = nil
			}
			p.niled = p.niled[:0]
		}
	}
}

func export([]*span) {}

func main() {}
`

// A batch keeps the values of a channel, also after it was emptied, unless its elements were
// overwritten.
func TestEmptied(t *testing.T) {
	for function, line := range map[string]string{
		"(*processor).end": "s := &span{body}", "(*processor).endCleared": "s := &span{body[1:]}",
		"(*processor).endNiled": "s := &span{body[2:]}",
	} {
		t.Run(function, func(t *testing.T) {
			s := newScene(t, batches)
			s.cpu = profiletest.NewCPU()
			s.heaps[0].Heap(3e7, 2e7, s.frame(function, line))
			found := s.find()
			i := slices.IndexFunc(found, func(f Finding) bool { return f.Rule == "large-holder" })
			if i < 0 {
				t.Fatal("no large holder")
			}
			keeps := strings.Contains(found[i].Title, "keeps what was in it")
			if want := function == "(*processor).end"; keeps != want || want && !strings.Contains(found[i].Title, "the array of p.batch") {
				t.Errorf("%s: %s", found[i].Title, found[i].Remedy)
			}
		})
	}
}
