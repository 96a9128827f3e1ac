package lifetime

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A contents is what a package puts into a pool, and expects from it.
type contents struct {
	puts    []ssa.CallInstruction
	gets    []*ssa.TypeAssert
	unknown bool         // others see the pool or what comes out of it
	fills   bool         // the pool has a function New
	empty   bool         // New returns nil on some path
	made    []types.Type // what New returns
}

// fill notes the function New of a pool.
func (p *contents) fill(c *Code, f Operand) {
	p.fills = true
	for _, fn := range c.src.AnonFuncs {
		for _, name := range c.functionsIn(f) {
			if nameOf(fn) != name {
				continue
			}
			for _, b := range fn.Blocks {
				if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == 1 {
					switch made := r.Results[0].(type) {
					case *ssa.MakeInterface:
						p.made = append(p.made, made.X.Type())
					case *ssa.Const:
						p.empty = p.empty || made.IsNil()
					}
				}
			}
		}
	}
}

// pools reports values of a type that no user of their pool expects, and users of a pool
// without New who expect a value at once.
func (p *program) pools(codes []*Code) {
	all := map[string]*contents{}
	var order []string
	of := func(place string) *contents {
		if all[place] == nil {
			all[place] = &contents{}
			order = append(order, place)
		}
		return all[place]
	}
	for _, c := range codes {
		for _, in := range c.instrs() {
			c.poolUse(in, of)
		}
	}
	slices.Sort(order)
	made := p.makes(codes)
	for _, place := range order {
		pool := all[place]
		// Whoever makes the struct around a pool may set its New.
		pool.fills = pool.fills || !strings.HasPrefix(place, "global ") && !slices.ContainsFunc(made, func(t string) bool {
			return strings.HasPrefix(place, t+".")
		})
		if !pool.unknown && !exportedPlace(place) {
			p.poolFaults(pool)
		}
	}
}

// makes returns the types of which the package makes values, as variables of their own or
// as fields.
func (p *program) makes(codes []*Code) (all []string) {
	for _, c := range codes {
		for _, in := range c.instrs() {
			if in.Op == Alloc && in.Type != "" {
				all = append(all, in.Type)
			}
		}
	}
	scope := p.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			all = append(all, typeName(o.Type()))
		case *types.TypeName:
			if s, ok := o.Type().Underlying().(*types.Struct); ok {
				for i := range s.NumFields() {
					all = append(all, typeName(s.Field(i).Type()))
				}
			}
		}
	}
	return all
}

// poolUse notes what an instruction does with a pool.
func (c *Code) poolUse(in *Instr, of func(string) *contents) {
	if in.Op == Store {
		place := c.placeOf(in.X[0])
		if pool, ok := strings.CutSuffix(place, ".New"); ok {
			of(pool).fill(c, in.X[1])
		} else if place != "" && isPoolAddress(in.vals[0].Type()) {
			f, ok := c.literal(in.X[1])[".New"]
			of(place).unknown = of(place).unknown || !ok
			of(place).fill(c, f)
		}
	}
	isCall := in.Op == Call || in.Op == Defer || in.Op == Go
	for i, x := range in.X {
		if x == none || i == 0 && (isCall || in.Op == Store) || in.Op == Field || i >= len(in.vals) ||
			in.vals[i] == nil || !isPoolAddress(in.vals[i].Type()) {
			continue
		}
		place := c.placeOf(x)
		if place == "" {
			continue
		}
		pool := of(place)
		switch call, _ := in.src.(*ssa.Call); {
		case i == 1 && in.Name == "(*sync.Pool).Put":
			if put, ok := in.src.(ssa.CallInstruction); ok { // a deferred one, too
				pool.puts = append(pool.puts, put)
			}
		case i == 1 && in.Name == "(*sync.Pool).Get" && call != nil:
			asserted, sole := assertion(call)
			pool.unknown = pool.unknown || !sole
			pool.gets = append(pool.gets, asserted...)
		default:
			pool.unknown = true
		}
	}
}

func isPoolAddress(t types.Type) bool { return typeName(t) == "*sync.Pool" }

// assertion returns the assertions of the type of a value that came from a pool, and
// reports whether nothing else looks at it.
func assertion(v *ssa.Call) (all []*ssa.TypeAssert, sole bool) {
	sole = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.TypeAssert:
			all = append(all, r)
		case *ssa.DebugRef:
		default:
			sole = false
		}
	}
	return all, sole
}

// exportedPlace reports whether another package can have the pool at a place.
func exportedPlace(place string) bool {
	name := place[strings.LastIndexByte(place, '.')+1:]
	return token.IsExported(name)
}

func (p *program) poolFaults(pool *contents) {
	if len(pool.gets) == 0 {
		return
	}
	if i := slices.IndexFunc(pool.gets, func(g *ssa.TypeAssert) bool { return !g.CommaOk }); pool.empty && i >= 0 {
		p.faults = append(p.faults, Fault{Kind: Pool, Pos: pool.gets[i].Pos(),
			Message: "the pool's function New may return nil, on which the assertion panics"})
	}
	for _, get := range pool.gets {
		if get.CommaOk || types.IsInterface(get.AssertedType) {
			return
		}
	}
	if !pool.fills {
		p.faults = append(p.faults, Fault{Kind: Pool, Pos: pool.gets[0].Pos(),
			Message: "the pool has no function New, so Get may return nil, and the assertion panics"})
	}
	if len(pool.made) == 0 {
		return
	}
	for _, put := range pool.puts {
		made, ok := put.Common().Args[1].(*ssa.MakeInterface)
		if !ok {
			continue
		}
		t := made.X.Type()
		expected := slices.ContainsFunc(pool.gets,
			func(g *ssa.TypeAssert) bool { return types.Identical(g.AssertedType, t) })
		if !expected && !generic(put.Parent()) {
			local := types.RelativeTo(p.pass.Pkg)
			p.faults = append(p.faults, Fault{Kind: Pool, Pos: put.Pos(),
				Message: fmt.Sprintf("a %s is put into a pool whose users expect a %s, and panic",
					types.TypeString(t, local), types.TypeString(pool.gets[0].AssertedType, local))})
		}
	}
}

// generic reports whether a function, or one around it, has type parameters or is a
// method of a type that has some. Each method has type parameters of its own, which
// are not identical.
func generic(f *ssa.Function) bool {
	for ; f != nil; f = f.Parent() {
		if f.TypeParams().Len() > 0 {
			return true
		}
	}
	return false
}
