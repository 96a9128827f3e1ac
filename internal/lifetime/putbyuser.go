package lifetime

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// putByUsers reports exported methods that put their receiver into a pool, though whoever takes such
// a value out of the pool lends it to functions and puts it itself. Only these functions can call
// the method, so the value is put twice.
func (p *program) putByUsers(codes []*Code) {
	called := map[string]bool{}
	for _, c := range codes {
		for name := range c.mentions() {
			called[name] = true
		}
	}
	lenders := p.poolLenders(codes)
	for _, c := range codes {
		if c.src == nil || c.src.Signature.Recv() == nil || called[c.Name] || private(c.src.Name()) {
			continue
		}
		lender, put := lenders[c.Params[0].Type], p.surelyPuts(c, 0, 0)
		if lender == nil || put == nil || implementsInterface(p.pass.Pkg, c.src.Signature.Recv().Type(), c.src.Name()) {
			continue
		}
		p.faults = append(p.faults, Fault{Kind: Pool, Pos: put.src.Pos(), Message: fmt.Sprintf(
			"%s gives its receiver back to the pool, but %s, which lends it to those who call %[1]s, does so as well",
			c.src.Name(), lender.src.Name())})
	}
}

// implementsInterface reports whether an interface of the package has a method that a type has, too.
func implementsInterface(pkg *types.Package, typ types.Type, method string) bool {
	for _, name := range pkg.Scope().Names() {
		if i, ok := pkg.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok && types.Implements(typ, i) {
			if m, _, _ := types.LookupFieldOrMethod(i, false, pkg, method); m != nil {
				return true
			}
		}
	}
	return false
}

// poolLenders are the functions that take values out of a pool, lend them to functions that they do
// not know and surely put them, by the type of the value. A type is left out if one of the functions
// that take its values does something else.
func (p *program) poolLenders(codes []*Code) map[string]*Code {
	all := map[string]*Code{}
	for _, c := range codes {
		for _, in := range c.instrs() {
			if in.Op != Move || in.Name != "assert" || !strings.HasPrefix(in.Type, "*") {
				continue
			}
			if get := c.definition(in.X[0]); get == nil || get.Op != Call || get.Name != "(*sync.Pool).Get" {
				continue
			}
			known, had := all[in.Type]
			switch isLender := p.surelyPuts(c, in.Dst, 0) != nil && p.lendsOut(c, in.Dst, 0) && !in.Flag; {
			case isLender && !had:
				all[in.Type] = c
			case !isLender || known == nil:
				all[in.Type] = nil
			}
		}
	}
	return all
}

// surelyPuts is the call by which a function puts a value into a pool on each path, nil if there is
// none.
func (p *program) surelyPuts(c *Code, x Operand, depth int) *Instr {
	for at, in := range c.instrs() {
		if in.Op != Call && in.Op != Defer || in.Flag || at.block != 0 && !c.always(0, at.block) {
			continue
		}
		if in.Name == "(*sync.Pool).Put" {
			if wrap := c.definition(in.X[2]); wrap != nil && wrap.Op == Wrap && wrap.X[0] == x {
				return in
			}
		}
		callee := p.codes[in.Name]
		if i := slices.Index(in.X, x); i > 0 && callee != nil && depth < 3 && p.surelyPuts(callee, Operand(i-1), depth+1) != nil {
			return in
		}
	}
	return nil
}

// lendsOut reports whether a function gives a value to a function that is not known.
func (p *program) lendsOut(c *Code, x Operand, depth int) bool {
	for _, in := range c.instrs() {
		i := slices.Index(in.X, x)
		if in.Op != Call || i < 1 {
			continue
		}
		callee := p.codes[in.Name]
		if in.Name == "" || callee != nil && !in.Flag && depth < 3 && p.lendsOut(callee, Operand(i-1), depth+1) {
			return true
		}
	}
	return false
}
