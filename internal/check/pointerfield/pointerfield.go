// Package pointerfield finds fields that point to a struct although they could hold it.
package pointerfield

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

const doc = `report fields that point to a struct of their own

A struct that is made with another one behind a pointer takes two allocations. As part of
the first, the second needs none, and no pointer to follow:

	type conn struct {
		out *bytes.Buffer
	}

	func newConn() *conn { return &conn{out: &bytes.Buffer{}} }

becomes

	type conn struct {
		out bytes.Buffer
	}

	func newConn() *conn { return &conn{out: bytes.Buffer{}} }

A call that gets the pointer gets &c.out instead, which keeps all of the struct in memory
as long as it keeps the pointer. The preconditions of the fix:

  - the struct's type and the field are not exported, the type has no type parameters, and
    the field has no tag;
  - each literal of the struct sets the field to a new struct, and its address is taken.
    The package names the type nowhere else but as *T, so that nothing copies the struct;
  - the field is assigned nowhere else, its address is not taken, and nothing compares it;
  - it is only used in x.f.g, in *x.f, and as an argument of calls outside of package
    runtime, whose finalizers need a pointer of their own;
  - the struct behind the pointer has no int64 and no uint64, which sync/atomic needs
    aligned on 32-bit systems. Those of the standard library do without;
  - all of this is in one file.`

// Analyzer finds pointers to structs that could be fields.
var Analyzer = &analysis.Analyzer{
	Name:     "pointerfield",
	Doc:      doc,
	Requires: rewrite.Requires(),
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	root := rewrite.Files(pass)
	all := map[*types.Var]*candidate{}
	for c := range root.Preorder((*ast.StructType)(nil)) {
		for _, found := range candidates(pass, c) {
			all[found.field] = found
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	byType := map[*types.TypeName][]*candidate{}
	for _, found := range all {
		byType[found.owner] = append(byType[found.owner], found)
	}
	for c := range root.Preorder((*ast.Ident)(nil), (*ast.CompositeLit)(nil), (*ast.StarExpr)(nil)) {
		switch n := c.Node().(type) {
		case *ast.Ident:
			switch obj := pass.TypesInfo.Uses[n].(type) {
			case *types.TypeName:
				for _, found := range byType[obj] {
					found.named(c)
				}
			case *types.Var:
				if found := all[obj]; found != nil {
					found.used(c)
				}
			}
		case *ast.CompositeLit:
			for _, found := range byType[owner(pass.TypesInfo.TypeOf(n))] {
				found.made(c)
			}
		case *ast.StarExpr:
			if tv := pass.TypesInfo.Types[n]; tv.IsValue() {
				for _, found := range byType[owner(tv.Type)] {
					found.refused = true // a copy of the struct, or a write to all of it
				}
			}
		}
	}
	for _, found := range all {
		found.report()
	}
	return nil, nil
}

// owner returns the name of a type or of the type that it points to, or nil.
func owner(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj()
	}
	return nil
}
