package requests

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// returned are the values that a function returns as its i-th result.
func returned(fn *ssa.Function, i int) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for _, b := range fn.Blocks {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(r.Results) && !yield(r.Results[i]) {
				return
			}
		}
	}
}

// callOf returns the call that a value is a result of, and which result.
func callOf(v ssa.Value) (*ssa.Call, int) {
	switch v := v.(type) {
	case *ssa.Call:
		return v, 0
	case *ssa.Extract:
		call, _ := v.Tuple.(*ssa.Call)
		return call, v.Index
	}
	return nil, 0
}

// sources are the values that a value is, as far as the package shows them: those of
// the variable or field that holds it, and those that a function of the package
// returns.
func (p *program) sources(v ssa.Value) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		all := func(values []ssa.Value) {
			for _, v := range values {
				if !yield(v) {
					return
				}
			}
		}
		switch v := v.(type) {
		case *ssa.MakeInterface:
			yield(v.X)
		case *ssa.ChangeInterface:
			yield(v.X)
		case *ssa.ChangeType:
			yield(v.X)
		case *ssa.TypeAssert:
			yield(v.X)
		case *ssa.Phi:
			all(v.Edges)
		case *ssa.FreeVar:
			if b := binding(v); b != nil {
				yield(b)
			}
		case *ssa.UnOp:
			switch at := v.X.(type) {
			case *ssa.Global, *ssa.FieldAddr:
				all(p.storedIn(nameOf(at)))
			default:
				all(p.storedIn(variable(at)))
			}
		default:
			if call, i := callOf(v); call != nil {
				if fn := call.Call.StaticCallee(); fn != nil {
					for r := range returned(fn, i) {
						if !yield(r) {
							return
						}
					}
				}
			}
		}
	}
}

// variable returns the local variable that an address belongs to.
func variable(at ssa.Value) ssa.Value {
	if v, ok := at.(*ssa.FreeVar); ok {
		return variable(binding(v))
	}
	return at
}

// binding returns the value that a closure captures, nil if it is not known.
func binding(v *ssa.FreeVar) ssa.Value {
	closure := v.Parent()
	if closure.Parent() == nil {
		return nil
	}
	for _, b := range closure.Parent().Blocks {
		for _, instr := range b.Instrs {
			if m, ok := instr.(*ssa.MakeClosure); ok && m.Fn == closure {
				for i, free := range closure.FreeVars {
					if free == v {
						return m.Bindings[i]
					}
				}
			}
		}
	}
	return nil
}

// storedIn are the values that the package stores in a field, a package-level
// variable, or a local one that is named by its allocation.
func (p *program) storedIn(name any) []ssa.Value {
	if p.stores == nil {
		p.stores = map[any][]ssa.Value{}
		for fn := range p.all() {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					store, ok := instr.(*ssa.Store)
					if !ok {
						continue
					}
					var key any
					switch at := store.Addr.(type) {
					case *ssa.Global, *ssa.FieldAddr:
						key = nameOf(at)
					case *ssa.IndexAddr:
						key = variable(at.X) // of the arguments of a variadic call
					default:
						key = variable(at)
					}
					p.stores[key] = append(p.stores[key], store.Val)
				}
			}
		}
	}
	return p.stores[name]
}

// all are the functions that people wrote, the closures in them and the package's
// initializer.
func (p *program) all() iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		var visit func(fn *ssa.Function) bool
		visit = func(fn *ssa.Function) bool {
			if !yield(fn) {
				return false
			}
			for _, anon := range fn.AnonFuncs {
				if !visit(anon) {
					return false
				}
			}
			return true
		}
		for _, fn := range p.functions {
			if !visit(fn) {
				return
			}
		}
		if init := p.ssa.Func("init"); init != nil {
			visit(init)
		}
	}
}
