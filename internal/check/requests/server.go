package requests

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// decodes is how a server decodes requests, as far as it is known.
type decodes int

const (
	notKnown    decodes = iota // or onto the heap
	withoutText                // into arenas, with text on the heap
	withText
)

// An origin describes a server, or options of one.
type origin struct {
	decodes decodes
	params  map[int]bool // parameters of the function that are the server, or its options
}

// origin finds out where a server, or options of one, come from.
func (p *program) origin(v ssa.Value) origin {
	o := origin{params: map[int]bool{}}
	p.addOrigin(v, outermost(v.Parent()), nil, &o, map[ssa.Value]bool{})
	return o
}

// addOrigin adds the origin of a value that belongs to the function in, or to one
// that it calls with these arguments.
func (p *program) addOrigin(v ssa.Value, in *ssa.Function, args map[*ssa.Parameter]ssa.Value, o *origin, seen map[ssa.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	add := func(v ssa.Value) { p.addOrigin(v, in, args, o, seen) }
	switch v := v.(type) {
	case *ssa.Parameter:
		if arg := args[v]; arg != nil {
			add(arg)
		} else if v.Parent() == in {
			for i, param := range in.Params {
				if param == v {
					o.params[i] = true
				}
			}
		}
		return
	case *ssa.Slice:
		if array, ok := v.X.(*ssa.Alloc); ok { // arguments of a variadic call, or a literal
			for _, element := range p.storedIn(array) {
				if _, slices := element.Type().Underlying().(*types.Slice); slices {
					add(element)
				}
			}
			return
		}
		add(v.X)
		return
	}
	call, _ := callOf(v)
	if call == nil {
		for from := range p.sources(v) {
			add(from)
		}
		return
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		for _, arg := range call.Call.Args {
			add(arg)
		}
		return
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return
	}
	switch calleeName(&call.Call) {
	case grpcPath + ".NewServer", "slices.Concat", "slices.Clip", "slices.Clone":
		add(call.Call.Args[0])
		return
	case ours + ".DecodeRequests":
		o.decode(call.Call.Args[0], withoutText)
		return
	case "(" + ours + ".ServerOptions).DecodeRequests":
		o.decode(call.Call.Args[1], p.optionsOf(call.Call.Args[0]))
		return
	}
	if len(fn.Blocks) == 0 {
		if obj, ok := fn.Object().(*types.Func); ok {
			if b := p.fact(obj); b != nil {
				o.decodes = max(o.decodes, b.Decodes)
			}
		}
		return
	}
	inner := map[*ssa.Parameter]ssa.Value{}
	for k, arg := range args {
		inner[k] = arg
	}
	for i, param := range fn.Params {
		inner[param] = call.Call.Args[i]
	}
	for r := range p.sources(v) {
		p.addOrigin(r, in, inner, o, seen)
	}
}

// decode adds options with a pool. A nil pool stands for the heap.
func (o *origin) decode(pool ssa.Value, d decodes) {
	if _, constant := pool.(*ssa.Const); !constant {
		o.decodes = max(o.decodes, d)
	}
}

// optionsOf returns how a value of the type arenagrpc.ServerOptions decodes.
func (p *program) optionsOf(v ssa.Value) decodes {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return withoutText // a parameter, or the zero value
	}
	local := variable(load.X)
	if local.Referrers() == nil {
		return withoutText
	}
	for _, r := range *local.Referrers() {
		field, ok := r.(*ssa.FieldAddr)
		if !ok || fieldOf(field.X, field.Field).Name() != "Text" {
			continue
		}
		for _, use := range *field.Referrers() {
			if store, ok := use.(*ssa.Store); ok {
				if c, ok := store.Val.(*ssa.Const); ok && constant.Sign(c.Value) > 0 { // the zero value is arena.TextHeap
					return withText
				}
			}
		}
	}
	return withoutText
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn != nil && fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}
