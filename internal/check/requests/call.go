package requests

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// call follows a call, also one that is deferred or begins a goroutine.
func (f *flow) call(fr *frame, instr ssa.CallInstruction) {
	common := instr.Common()
	call, _ := instr.(*ssa.Call) // nil if there is no result
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if call != nil {
			f.builtin(fr, call, b.Name())
		}
		return
	}
	args := make([]set, len(common.Args))
	for i, a := range common.Args {
		args[i] = f.value(fr, a)
	}
	_, spawns := instr.(*ssa.Go)
	name := calleeName(common)
	if spawns || name == "time.AfterFunc" || strings.HasSuffix(name, ").Go") {
		for _, v := range append(common.Args[:len(common.Args):len(common.Args)], common.Value) {
			if closure, ok := v.(*ssa.MakeClosure); ok && fr.below[closure] != nil {
				fr.below[closure].spawner = &spawner{fr, instr}
			}
		}
	}
	fn := common.StaticCallee()
	if fn == nil {
		f.unknown(fr, instr, args)
		return
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, _ := fn.Object().(*types.Func)
	if obj != nil {
		if field, sets := accessor(obj); field != "" {
			f.access(fr, instr, field, sets, args)
			return
		}
		if strings.HasSuffix(name, "_builder).Build") {
			f.give(fr, call, 0, args[0])
			return
		}
		if effect := library[name]; effect != nil {
			f.reads(fr, args...)
			effect(f, fr, instr, args)
			return
		}
	}
	if fn.Blocks != nil {
		var below *frame
		if closure, ok := common.Value.(*ssa.MakeClosure); ok {
			below = fr.below[closure]
		} else if refersToAny(args) {
			below = f.enter(fr, instr, fn)
			if below != nil && spawns {
				below.spawner = &spawner{fr, instr}
			}
		}
		if below != nil {
			for i, param := range fn.Params {
				if i < len(args) {
					f.set(below, param, args[i])
				}
			}
			for i, r := range below.results {
				f.give(fr, call, i, r)
			}
			return
		}
	}
	if b := f.fact(obj); b != nil && obj.Pkg() != f.pass.Pkg {
		f.reads(fr, args...)
		f.apply(fr, instr, b, args)
		return
	}
	f.unknown(fr, instr, args)
}

// calleeName is the full name of the function that a call names, "" if none is known.
func calleeName(common *ssa.CallCommon) string {
	if common.IsInvoke() {
		return common.Method.FullName()
	}
	fn := common.StaticCallee()
	if fn == nil {
		return ""
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return ""
	}
	return obj.Origin().FullName()
}

func refersToAny(args []set) bool {
	for _, a := range args {
		if len(a) > 0 {
			return true
		}
	}
	return false
}

// give adds places to the i-th result of a call.
func (f *flow) give(fr *frame, call *ssa.Call, i int, s set) {
	if call != nil {
		f.result(fr, call, i, s)
	}
}

// unknown follows a call of a function that is not known. If the arguments refer to
// memory of parameters, the results are taken for copies of it.
func (f *flow) unknown(fr *frame, instr ssa.CallInstruction, args []set) {
	f.reads(fr, args...)
	if _, spawns := instr.(*ssa.Go); spawns {
		for _, a := range args {
			f.leave(&spawner{fr, instr}, a)
		}
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return
	}
	for _, a := range args {
		if len(labels(a)) > 0 {
			for i := range call.Call.Signature().Results().Len() {
				f.result(fr, call, i, aCopy)
			}
			return
		}
	}
}

// access follows a call of a message's getter or setter.
func (f *flow) access(fr *frame, instr ssa.CallInstruction, field string, sets bool, args []set) {
	at := parts(args[0], "."+field)
	if sets {
		if f.given(args[0]) {
			f.overwrite(field, args[1])
		}
		operands := instr.Common().Args
		f.put(fr, instr, operands[0], at, args[1], operands[1].Type())
		return
	}
	f.reads(fr, args[0])
	call, _ := instr.(*ssa.Call)
	f.give(fr, call, 0, f.load(at, nil))
	if f.given(args[0]) {
		f.give(fr, call, 0, f.overwritten[field])
	}
}

// apply follows a call of another package's function with a known behaviour.
func (f *flow) apply(fr *frame, instr ssa.CallInstruction, b *behaviour, args []set) {
	for _, k := range b.Keeps {
		if k.Param >= len(args) || k.In >= len(args) || k.Concurrent && f.speak && f.waits(fr, instr) {
			continue
		}
		s := args[k.Param]
		if k.Text {
			s = f.textOf(s)
		}
		if k.In == elsewhere {
			f.record(fr, instr, k.How, elsewhere, s)
			continue
		}
		whole := set{}
		for p := range args[k.In] {
			if k.Concurrent && p.kind == memory {
				f.record(fr, instr, k.How, p.param, s)
			} else {
				whole[place{p.region, anywhere}] = true
			}
		}
		f.put(fr, instr, instr.Common().Args[k.In], whole, s, nil)
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return
	}
	if len(b.Results) == 0 {
		f.unknown(fr, instr, args)
	}
	for i, r := range b.Results {
		for _, n := range r.Is {
			f.result(fr, call, i, args[n])
		}
		for _, n := range r.Text {
			f.result(fr, call, i, f.textOf(args[n]))
		}
		if len(r.Holds) > 0 {
			at := f.fresh(fr, call)
			for _, n := range r.Holds {
				f.changed = at.put(anywhere, args[n]) || f.changed
			}
			f.result(fr, call, i, set{at: true})
		}
	}
}

// textOf is the text of the parameters that places belong to.
func (f *flow) textOf(s set) set {
	texts := set{}
	for r := range labels(s) {
		texts[place{region: f.texts[r.param]}] = true
	}
	return texts
}
