package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// RequestsDie reports whether the requests and responses of all gRPC handlers in the
// program die with their calls. It does not follow text, which may be kept because it lies
// on the heap. A handler of a stream, and one that cannot be followed, count as keepers,
// and so does a program without handlers.
func (p *Program) RequestsDie() (f Fate) {
	if p == nil {
		return unknown("no source is at hand")
	}
	defer func() {
		if r := recover(); r != nil { // see Within
			f = unknown("the source of its handlers cannot be followed")
		}
	}()

	// One handler that is not known may be the one that keeps its requests.
	p.load.Do(p.open)
	if !slices.ContainsFunc(p.index.Packages(), func(p source.Package) bool { return p.Name == "main" }) {
		return unknown("the profiles do not show its package main, so that not all of its handlers are known")
	}
	found, worst := false, Fate{Dies: true}
	for _, t := range p.named {
		methods := types.NewMethodSet(types.NewPointer(t))
		for i := range methods.Len() {
			m, _ := methods.At(i).Obj().(*types.Func)
			if m == nil || len(methods.At(i).Index()) > 1 {
				continue // an embedded type has its own turn
			}
			fn := p.ssa.FuncValue(m)
			if fn == nil {
				continue
			}
			switch {
			case streams(fn.Signature):
				return unknown("%s receives a stream of messages, which are not followed", profile.ShortName(symbol(fn)))
			case !handles(fn.Signature) || !p.build(fn):
				continue
			case p.late():
				p.unfollowed++
				return unknown("the budget ended before its handlers were followed")
			}

			// A handler that certainly keeps a request is a better answer than one that
			// may keep it, because the user can look at the line.
			found = true
			if f := p.request(fn, false); !f.Dies {
				if best := p.request(fn, true); best.Dies {
					f = Fate{Kept: best.Kept, Unsure: true, Unknown: true}
				}
				if worst.Dies || !f.Unsure {
					worst = f
				}
			}
			if !worst.Dies && !worst.Unsure {
				return worst
			}
		}
	}
	if !found {
		return unknown("none of its handlers is in the program's own code")
	}
	return worst
}

// handles reports whether a method has the parameters of a unary handler: a
// context and a message.
func handles(sig *types.Signature) bool {
	return sig.Params().Len() == 2 && sig.Results().Len() == 2 && sig.Params().At(0).Type().String() == "context.Context" &&
		hasMethod(sig.Params().At(1).Type(), "ProtoReflect") && hasMethod(sig.Results().At(0).Type(), "ProtoReflect")
}

// streams reports whether a method has a stream among its parameters that messages
// are received from.
func streams(sig *types.Signature) bool {
	last := sig.Params().Len() - 1
	if last < 0 {
		return false
	}
	t := sig.Params().At(last).Type()
	return types.IsInterface(t) && hasMethod(t, "SetTrailer") && hasMethod(t, "Recv")
}

func hasMethod(t types.Type, name string) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	return m != nil
}

// request reports whether a handler keeps its request, its last parameter.
func (p *Program) request(fn *ssa.Function, trusting bool) Fate {
	h := newHeap(p)
	h.textApart, h.trusting = true, trusting
	last := len(fn.Params) - 1
	request := h.make(fn.Params[last], object{what: "the request"})
	h.add(h.memory[request].content, request) // includes all messages in the request
	h.add(h.value(fn.Params[last]), request)
	h.enter(fn)
	for _, v := range fn.Params[:last] {
		h.add(h.value(v), outside)
	}
	name := profile.ShortName(symbol(fn))
	if !h.solve() {
		return unknown("too much is called from %s to follow its request", name)
	}
	h.trace()
	if o := h.memory[request].object; h.reached[o] {
		f := h.kept(o)
		f.Kept = "the request of " + name + " is kept: " + f.Kept
		return f
	}
	f := Fate{Dies: true}
	if doubt := h.doubt(h.memory[request].object); doubt != "" {
		f.Kept = "the request of " + name + " may be kept: " + doubt
	}
	return f
}
