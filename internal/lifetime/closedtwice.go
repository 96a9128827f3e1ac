package lifetime

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// closedTwice reports methods that put a field of their receiver into a pool and leave the field set,
// though nil in it says that there is nothing to put. They have to run once alone. But a function
// defers such a method of a value that it lends to others as an interface, and the package asks values
// of this interface whether they have the method: so others may call it first.
func (p *program) closedTwice(codes []*Code) {
	for _, c := range codes {
		if c.src == nil || c.src.Signature.Recv() == nil || c.src.Signature.Params().Len() > 0 || private(c.src.Name()) {
			continue
		}
		put, field := p.putsField(c)
		asked := asserted(codes, c.src.Name())
		if put == nil || len(asked) == 0 {
			continue
		}
		typ := strings.TrimPrefix(c.Params[0].Type, "*")
		if sv := p.survey; sv.cleared[typ+field] || len(sv.changes.types[typ]) > 0 {
			continue
		}
		for _, user := range codes {
			if user.src != nil && user.defersAndLends(c.Name, asked) {
				p.faults = append(p.faults, Fault{Kind: Pool, Pos: put.src.Pos(), Message: fmt.Sprintf(
					"%s leaves the field %s set, so if somebody has called it, the deferred call in line %d puts the same value again",
					c.src.Name(), field[1:], user.deferral(p, c.Name))})
				break
			}
		}
	}
}

// putsField is the call by which a method puts a field of its receiver that it compares with nil,
// and the field. There is none if the method sets a field.
func (p *program) putsField(c *Code) (put *Instr, field string) {
	compared := map[string]bool{}
	for _, in := range c.instrs() {
		switch in.Op {
		case Store:
			if !c.local(in.X[0]) {
				return nil, ""
			}
		case Compare:
			for i, x := range in.X {
				if y := in.X[len(in.X)-1-i]; y < 0 && c.Consts[^y].Kind == Nil {
					compared[c.receiverField(x)] = true
				}
			}
		case Call:
			for i, x := range in.X {
				f := c.receiverField(c.unwrapped(x))
				callee := p.codes[in.Name]
				isPut := in.Name == "(*sync.Pool).Put" || callee != nil && p.surelyPuts(callee, Operand(i-1), 0) != nil
				if i > 0 && f != "" && isPut && !in.Flag {
					put, field = in, f
				}
			}
		}
	}
	if !compared[field] {
		return nil, ""
	}
	return put, field
}

// receiverField is the path of the field of the first parameter that a register was read from.
func (c *Code) receiverField(x Operand) string {
	if load := c.definition(x); load != nil && load.Op == Load {
		if base, path := c.fieldAt(load.X[0]); base == 0 && strings.Count(path, ".") == 1 {
			return path
		}
	}
	return ""
}

// unwrapped is the value in an interface.
func (c *Code) unwrapped(x Operand) Operand {
	if wrap := c.definition(x); wrap != nil && wrap.Op == Wrap {
		return wrap.X[0]
	}
	return x
}

// asserted are the interfaces whose values a function asserts to have a method.
func asserted(codes []*Code, method string) (all []types.Type) {
	for _, c := range codes {
		for _, in := range c.instrs() {
			if a, ok := in.src.(*ssa.TypeAssert); ok && types.IsInterface(a.AssertedType) {
				if m, _, _ := types.LookupFieldOrMethod(a.AssertedType, false, nil, method); m != nil {
					all = append(all, a.X.Type())
				}
			}
		}
	}
	return all
}

// defersAndLends reports whether a function defers a method of a value that it gives to a function
// that is not known, as one of some interfaces.
func (c *Code) defersAndLends(method string, interfaces []types.Type) bool {
	for _, in := range c.instrs() {
		if in.Op != Defer || in.Name != method || len(in.X) < 2 {
			continue
		}
		for _, use := range c.uses(in.X[1]) {
			wrap, ok := use.src.(*ssa.MakeInterface)
			isAsked := func(t types.Type) bool { return types.Identical(t, wrap.Type()) }
			if ok && slices.ContainsFunc(interfaces, isAsked) && slices.ContainsFunc(c.uses(use.Dst), func(call *Instr) bool {
				return call.Op == Call && (call.Flag || call.Name == "") && slices.Index(call.X, use.Dst) > 0
			}) {
				return true
			}
		}
	}
	return false
}

// deferral is the line in which a function defers a method.
func (c *Code) deferral(p *program, method string) int {
	for _, in := range c.instrs() {
		if in.Op == Defer && in.Name == method {
			return p.pass.Fset.Position(in.src.Pos()).Line
		}
	}
	return 0
}
