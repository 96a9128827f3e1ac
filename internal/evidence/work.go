package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// Work is the runtime's work of one kind in the classes of the program's own code and
// the rest of the runtime.
type Work struct {
	Kind      cost.Work
	Share     float64 // share of CPU time
	Samples   float64
	Functions []string    // functions that do it, the one with most samples first
	Places    []WorkPlace // lines of the program that it is done for, the one with most samples first
	Root      Frame       // the first function of the goroutines with most samples; zero where no stack is whole
}

// WorkPlace is a line of the program that the runtime works for.
type WorkPlace struct {
	Frame
	Share float64 // share of CPU time
	Path  []Frame // heaviest, the leaf first, without the runtime's innermost frames
}

// cutOff is the depth from which on a profile may have cut a stack off (maxCPUProfStack
// of runtime/cpuprof.go).
const cutOff = 64

// cgoStub is in the names of the functions that cgo generates for calls into C. Their
// lines are of a file that nobody sees.
const cgoStub = "._Cfunc_"

// maxWorkFunctions is how many functions of a kind of work are named.
const maxWorkFunctions = 3

type workSum struct {
	samples   float64
	functions map[profile.FunctionID]float64
	places    map[line]*placeSum
	roots     map[profile.Frame]float64
}

type placeSum struct {
	at            profile.Frame
	samples, most float64
	stack         profile.StackID // the stack with most samples
}

// sumWork fills Costs.Work, the largest first.
func (b *builder) sumWork(count int) {
	classes, works := cost.NewClassifier(b.dict), cost.NewWorker(b.dict)
	owns := func(f profile.FunctionID) bool {
		return b.owners.of(f) != owner.Runtime && b.owners.of(f) != owner.Standard
	}
	sums := map[cost.Work]*workSum{}
	for row, stack := range b.cpu.Stacks {
		if c := classes.Class(stack); c != cost.Own && c != cost.OtherRuntime {
			continue
		}
		kind, function := works.Work(stack, owns)
		if kind == cost.Plain {
			continue
		}
		s := sums[kind]
		if s == nil {
			s = &workSum{functions: map[profile.FunctionID]float64{}, places: map[line]*placeSum{},
				roots: map[profile.Frame]float64{}}
			sums[kind] = s
		}
		s.add(b, stack, function, float64(b.cpu.Values[count][row]))
	}
	for kind, s := range sums {
		b.Costs.Work = append(b.Costs.Work, s.work(b, kind))
	}
	slices.SortFunc(b.Costs.Work, func(a, b Work) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Kind, b.Kind))
	})
}

func (s *workSum) add(b *builder, stack profile.StackID, function profile.FunctionID, n float64) {
	s.samples += n
	s.functions[function] += n
	depth, root := 0, profile.Frame{}
	for f := range b.dict.Frames(stack) {
		depth++
		if b.owners.of(f.Function) != owner.Runtime {
			root = f
		}
	}
	if root.Function != 0 && depth < cutOff {
		s.roots[root] += n
	}
	for f := range b.dict.Frames(stack) {
		if b.owners.of(f.Function) != owner.Program || strings.Contains(b.dict.FunctionName(f.Function), cgoStub) {
			continue
		}
		key := b.line(f)
		p := s.places[key]
		if p == nil {
			p = &placeSum{at: f}
			s.places[key] = p
		}
		p.samples += n
		if n > p.most {
			p.most, p.stack = n, stack
		}
		return
	}
}

func (s *workSum) work(b *builder, kind cost.Work) Work {
	w := Work{Kind: kind, Samples: s.samples, Share: s.samples / b.model.samples}
	for id := range s.functions {
		w.Functions = append(w.Functions, b.dict.FunctionName(id))
	}
	weight := map[string]float64{}
	for id, n := range s.functions {
		weight[b.dict.FunctionName(id)] += n
	}
	slices.SortFunc(w.Functions, func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	w.Functions = slices.Compact(w.Functions)
	w.Functions = w.Functions[:min(len(w.Functions), maxWorkFunctions)]
	for _, p := range s.places {
		w.Places = append(w.Places, WorkPlace{Frame: b.frame(p.at), Share: p.samples / b.model.samples,
			Path: b.path(p.stack)})
	}
	slices.SortFunc(w.Places, func(a, b WorkPlace) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	most := 0.0
	for f, n := range s.roots {
		if at := b.frame(f); n > most || n == most && at.Function < w.Root.Function {
			most, w.Root = n, at
		}
	}
	return w
}
