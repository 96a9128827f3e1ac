package requests

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// describe finds the parameters that a function keeps or returns, if it is a handler,
// or if other packages may call it with a message.
func (p *program) describe(fn *ssa.Function) {
	obj := fn.Object().(*types.Func)
	sig := obj.Signature()
	handler := sig.Recv() != nil && handles(sig)
	offered := false
	if obj.Exported() && p.pass.Pkg.Name() != "main" {
		for param := range sig.Params().Variables() {
			offered = offered || hasMessages(param.Type(), map[types.Type]bool{})
		}
	}
	if !handler && !offered {
		return
	}
	f := p.follow(fn)
	slices.SortFunc(f.keeps, func(a, b Keep) int {
		if a.Text != b.Text {
			return map[bool]int{false: -1, true: 1}[a.Text] // memory first: it includes text
		}
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.Param, b.Param), cmp.Compare(a.In, b.In), cmp.Compare(a.How, b.How))
	})
	b := p.of(obj)
	for _, k := range f.keeps {
		if !slices.ContainsFunc(b.Keeps, func(o Keep) bool { return o.Param == k.Param && o.In == k.In }) {
			b.Keeps = append(b.Keeps, k)
		}
	}
	if handler {
		p.keeps[obj] = slices.DeleteFunc(f.keeps, func(k Keep) bool { return !k.ofRequest() })
		return
	}
	b.Results = f.describeResults()
}

// ofRequest reports whether a keep of a handler is one of its request, beyond the
// call.
func (k Keep) ofRequest() bool { return k.Param == request && (k.In == 0 || k.In == elsewhere) }

func (f *flow) describeResults() []Result {
	shares := false
	all := make([]Result, len(f.root.results))
	for i, s := range f.root.results {
		s = f.filter(f.root.fn.Signature.Results().At(i).Type(), s)
		for at := range s {
			if at.kind == memory && !s.has(copied) {
				all[i].Is = append(all[i].Is, at.param)
			}
		}
		for r := range labels(s) {
			if r.kind == text {
				all[i].Text = append(all[i].Text, r.param)
			} else if !slices.Contains(all[i].Is, r.param) {
				all[i].Holds = append(all[i].Holds, r.param)
			}
		}
		for _, list := range [][]int{all[i].Is, all[i].Holds, all[i].Text} {
			slices.Sort(list)
			shares = shares || len(list) > 0
		}
	}
	if !shares {
		return nil
	}
	return all
}

// handlers returns the handlers among a type's methods that keep their requests.
func (p *program) handlers(t types.Type) []Handler {
	var all []Handler
	methods := types.NewMethodSet(t)
	for sel := range methods.Methods() {
		fn := sel.Obj().(*types.Func).Origin()
		if !handles(fn.Signature()) {
			continue
		}
		h := Handler{Name: p.name(fn), Method: fn.Name(), fn: fn}
		if b := p.fact(fn); b != nil {
			for _, k := range b.Keeps {
				switch {
				case !k.ofRequest():
				case k.Text && h.Text == nil:
					h.Text = &k
				case !k.Text && h.Memory == nil:
					h.Memory = &k
				}
			}
		}
		if h.Memory != nil || h.Text != nil {
			all = append(all, h)
		}
	}
	return all
}

// name is the name of a method with its receiver's type, as in
// "(*store.Memory).Create".
func (p *program) name(fn *types.Func) string {
	of := types.TypeString(fn.Signature().Recv().Type(), func(pkg *types.Package) string { return pkg.Name() })
	if of[0] == '*' {
		of = "(" + of + ")"
	}
	return of + "." + fn.Name()
}

// findImplementations finds the functions that return an implementation of a service
// as an interface.
func (p *program) findImplementations() {
	if p.pass.Pkg.Name() == "main" {
		return
	}
	for _, fn := range p.functions {
		obj := fn.Object().(*types.Func)
		if results := obj.Signature().Results(); !obj.Exported() || results.Len() == 0 || !isService(results.At(0).Type()) {
			continue
		}
		var all []Handler
		for v := range returned(fn, 0) {
			all = p.implementation(v, all, map[ssa.Value]bool{})
		}
		if len(all) > 0 {
			p.of(obj).Makes = all
		}
	}
}

// isService reports whether a type is an interface with handlers.
func isService(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range i.Methods() {
		if handles(m.Signature()) {
			return true
		}
	}
	return false
}

// implementation adds the handlers of the types that a value of an interface may have.
func (p *program) implementation(v ssa.Value, all []Handler, seen map[ssa.Value]bool) []Handler {
	if seen[v] {
		return all
	}
	seen[v] = true
	if m, ok := v.(*ssa.MakeInterface); ok {
		return append(all, p.handlers(m.X.Type())...)
	}
	if call, i := callOf(v); call != nil {
		fn := call.Call.StaticCallee()
		if fn != nil && fn.Blocks == nil && i == 0 {
			obj, _ := fn.Object().(*types.Func)
			if b := p.fact(obj); b != nil {
				all = append(all, b.Makes...)
			}
		}
	}
	for from := range p.sources(v) {
		all = p.implementation(from, all, seen)
	}
	return all
}
