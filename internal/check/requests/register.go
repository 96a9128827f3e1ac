package requests

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// findServers reports the services whose handlers keep requests that their server
// frees, and notes the functions that register them for a caller.
func (p *program) findServers() {
	for changed := true; changed; { // functions may call each other
		changed = false
		for fn := range p.all() {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if call, ok := instr.(ssa.CallInstruction); ok {
						changed = p.serve(outermost(fn), call) || changed
					}
				}
			}
		}
	}
	for _, fn := range p.functions {
		obj := fn.Object().(*types.Func)
		results := obj.Signature().Results()
		if !obj.Exported() || results.Len() == 0 || !isNamed(results.At(0).Type(), grpcPath, "Server") && !isOptions(results.At(0).Type()) {
			continue
		}
		for v := range returned(fn, 0) {
			if o := p.origin(v); o.decodes != notKnown {
				p.of(obj).Decodes = max(p.of(obj).Decodes, o.decodes)
			}
		}
	}
}

func isOptions(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && isNamed(s.Elem(), grpcPath, "ServerOption")
}

// serve looks at one call. It reports whether more has become known of the function
// that contains it.
func (p *program) serve(in *ssa.Function, call ssa.CallInstruction) (changed bool) {
	for server, handlers := range p.registered(call) {
		o := p.origin(server)
		if o.decodes != notKnown {
			p.report(call, handlers, o.decodes)
		}
		obj, ok := in.Object().(*types.Func)
		if !ok {
			continue
		}
		for i := range o.params {
			changed = p.of(obj).serves(i, handlers) || changed
		}
	}
	return changed
}

// serves adds handlers to the service that a function registers.
func (b *behaviour) serves(param int, handlers []Handler) (changed bool) {
	at := slices.IndexFunc(b.Serves, func(s Service) bool { return s.Param == param })
	if at < 0 {
		at = len(b.Serves)
		b.Serves = append(b.Serves, Service{Param: param})
	}
	s := &b.Serves[at]
	for _, h := range handlers {
		if !slices.ContainsFunc(s.Handlers, func(o Handler) bool { return o.Name == h.Name }) {
			s.Handlers = append(s.Handlers, h)
			changed = true
		}
	}
	return changed
}

// registered returns the handlers that a call registers, by the server or the options
// of one among its arguments. Only handlers that keep requests count.
func (p *program) registered(call ssa.CallInstruction) map[ssa.Value][]Handler {
	common := call.Common()
	if common.IsInvoke() {
		if common.Method.FullName() != "("+grpcPath+".ServiceRegistrar).RegisterService" {
			return nil
		}
		return p.registration(common.Value, common.Args[1], described(common.Args[0]))
	}
	fn := common.StaticCallee()
	if fn == nil {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return nil
	}
	sig := obj.Signature()
	switch {
	case obj.FullName() == "(*"+grpcPath+".Server).RegisterService":
		return p.registration(common.Args[0], common.Args[2], described(common.Args[1]))
	case sig.Recv() == nil && isRegister(obj.Name()) && sig.Params().Len() == 2 && isRegistrar(sig.Params().At(0).Type()) && isService(sig.Params().At(1).Type()):
		return p.registration(common.Args[0], common.Args[1], sig.Params().At(1).Type())
	}
	b := p.fact(obj)
	if b == nil {
		return nil
	}
	all := map[ssa.Value][]Handler{}
	for _, s := range b.Serves {
		if s.Param < len(common.Args) {
			all[common.Args[s.Param]] = s.Handlers
		}
	}
	return all
}

func isRegistrar(t types.Type) bool {
	return isNamed(t, grpcPath, "ServiceRegistrar") || isNamed(t, grpcPath, "Server")
}

// described returns the interface that a generated description of a service is for.
func described(desc ssa.Value) types.Type {
	g, ok := desc.(*ssa.Global)
	if !ok || g.Pkg == nil {
		return nil
	}
	name, ok := strings.CutSuffix(g.Name(), "_ServiceDesc")
	if !ok {
		return nil
	}
	obj := g.Pkg.Pkg.Scope().Lookup(name + "Server")
	if obj == nil || !types.IsInterface(obj.Type()) {
		return nil
	}
	return obj.Type()
}

// registration returns the handlers of an implementation that belong to a service.
func (p *program) registration(server, impl ssa.Value, service types.Type) map[ssa.Value][]Handler {
	if service == nil {
		return nil
	}
	methods := service.Underlying().(*types.Interface)
	handlers := slices.DeleteFunc(p.implementation(impl, nil, map[ssa.Value]bool{}), func(h Handler) bool {
		for m := range methods.Methods() {
			if m.Name() == h.Method {
				return false
			}
		}
		return true
	})
	if len(handlers) == 0 {
		return nil
	}
	return map[ssa.Value][]Handler{server: handlers}
}

// report reports the handlers of this package where they keep their requests, and
// those of others at the call that registers them.
func (p *program) report(call ssa.CallInstruction, handlers []Handler, d decodes) {
	var others []string
	first := ""
	for _, h := range handlers {
		keep := h.Memory
		if keep == nil && d == withText {
			keep = h.Text
		}
		if keep == nil {
			continue
		}
		if own := p.keeps[h.fn]; h.fn != nil && own != nil {
			for _, k := range own {
				if k.Text && d != withText || slices.ContainsFunc(handlers, func(h Handler) bool { return h.Method == k.by }) {
					continue
				}
				p.fault(Fault{k.pos, fmt.Sprintf("%s %s, %s", h.Method, k.phrase(), k.remedy())})
			}
			continue
		}
		if first != "" {
			others = append(others, h.Method)
			continue
		}
		first = fmt.Sprintf("%s %s (%s), %s there", h.Name, keep.phrase(), keep.Line, keep.remedy())
		if name := calleeName(call.Common()); !isRegister(shortName(name)) && shortName(name) != "RegisterService" {
			first = fmt.Sprintf("%s serves %s, which %s (%s), %s there", shortName(name), h.Name, keep.phrase(), keep.Line, keep.remedy())
		}
	}
	if first == "" {
		return
	}
	if len(others) > 0 {
		first += "; the same holds for " + strings.Join(others, ", ")
	}
	p.fault(Fault{call.Pos(), first})
}

func shortName(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }

// phrase says how memory is kept.
func (k Keep) phrase() string {
	part := "memory"
	if k.Text {
		part = "text"
	}
	return fmt.Sprintf(k.How, part)
}

// remedy gives the reason why memory must not be kept, and the value to keep instead.
func (k Keep) remedy() string {
	const why = "but it dies with the call: the server decodes requests into arenas; keep "
	if k.Text {
		return why + "a copy by strings.Clone, bytes.Clone or arenapb.Promote"
	}
	return why + "a copy by arenapb.Promote"
}

// fault reports a fault, unless there is one in its line.
func (p *program) fault(f Fault) {
	line := p.pass.Fset.Position(f.Pos)
	line.Offset, line.Column = 0, 0
	if !p.reported[line] {
		p.reported[line] = true
		p.faults = append(p.faults, f)
	}
}
