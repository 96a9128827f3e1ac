package arena

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"weak"
)

// TestStack compares a coreStack with a model, which counts the collections that each
// core has lain there.
func TestStack(t *testing.T) {
	type lying struct {
		core        *core
		collections int
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := coreStack{aging: true} // no collection of this process ages it
		var model []lying
		for range 200 {
			switch r.IntN(5) {
			case 0, 1:
				c := new(core)
				s.push(c)
				model = append(model, lying{core: c})
			case 2, 3:
				var want *core
				if last := len(model) - 1; last >= 0 {
					want, model = model[last].core, model[:last]
				}
				if got := s.pop(); got != want {
					t.Fatalf("seed %d: pop did not return the core that was pushed last", seed)
				}
			case 4:
				s.dropIdle()
				for i := range model {
					model[i].collections++
				}
				model = slices.DeleteFunc(model, func(l lying) bool { return l.collections == 2 })
			}
			if !slices.EqualFunc(s.cores, model, func(c *core, l lying) bool { return c == l.core }) {
				t.Fatalf("seed %d: the stack holds %d cores, want %d", seed, len(s.cores), len(model))
			}
			if unused := s.cores[len(s.cores):cap(s.cores)]; slices.ContainsFunc(unused, func(c *core) bool { return c != nil }) {
				t.Fatalf("seed %d: the stack keeps a core alive that it does not hold", seed)
			}
		}
	}
}

// hold lets an arena of p hold more than a core of p.small may.
func hold(p *Pool) *Arena {
	a := p.Get()
	Bytes(a, make([]byte, large))
	return a
}

func TestPoolHandsOutTheLastLarge(t *testing.T) {
	if !reuse || !merges {
		t.Skip("a freed arena's memory is not used again in this build")
	}
	var p Pool
	a, b := hold(&p), hold(&p)
	first, last := a.core, b.core
	a.Free()
	b.Free()
	for _, want := range []*core{last, first} {
		if got := p.Get(); got.core != want {
			t.Error("the memory that was freed last was not handed out first")
		}
	}
}

func TestCollectorEmptiesPool(t *testing.T) {
	for name, p := range map[string]*Pool{"of a variable": new(Pool), "of NewArena": &defaultPool} {
		hold(p).Free()
		empty := func() bool {
			p.large.mu.Lock()
			defer p.large.mu.Unlock()
			return len(p.large.cores) == 0 && !p.large.aging
		}
		for range 1000 {
			if empty() {
				break
			}
			runtime.GC() // age is called at some time after each
		}
		if !empty() {
			t.Errorf("the pool %s is not used, and keeps its memory", name)
		}
	}
}

// A pool that is dropped does not wait for its arenas to age.
func TestCollectorTakesDroppedPool(t *testing.T) {
	p := new(Pool)
	hold(p).Free()
	dropped := weak.Make(p)
	for range 100 {
		if runtime.GC(); dropped.Value() == nil {
			return
		}
	}
	t.Error("a pool that nothing refers to is still there")
}
