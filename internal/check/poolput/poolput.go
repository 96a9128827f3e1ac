// Package poolput finds values that are used after they were put into a sync.Pool.
package poolput

import (
	"go/ast"
	"go/types"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"

	"github.com/heapwright/heapwright/internal/check/pooled"
)

const doc = `report values used after sync.Pool.Put, or put twice

After Put another goroutine may hold the value. Reading or writing it is a data
race, and a second Put hands the same value to two goroutines.

	pool.Put(buf)
	return buf.Bytes()

A deferred Put runs after the results are evaluated, so a function that defers it
must not return the value, or memory of the value, either.

The check follows local variables, fields that are reached from them, such as x.buf,
and the slices, strings and readers that share their memory, as buf.Bytes() does. It
also reports a Put while a goroutine that uses the value may still run, or after the
value was sent on a channel, where nothing lies between that could wait for the other
goroutine. A deferred call that was deferred before a deferred Put runs after it. A
function that puts its parameter, its receiver or a field of them into a pool counts
as a Put, in whichever package it is declared.

The check reports a use if a Put precedes it on every path, or if no branch lies
between the two. Comparisons, len and cap are harmless. A variable that another
closure assigns, or whose address is taken, is not followed. A field is followed up
to the next call of a function that may assign it. There is no fix: only the author
knows where the last use belongs.`

// Analyzer finds uses of a value after sync.Pool.Put, and second Puts.
var Analyzer = &analysis.Analyzer{
	Name:     "poolput",
	Doc:      doc,
	Requires: []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer, pooled.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	graphs := pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs)
	helpers := pass.ResultOf[pooled.Analyzer].(*pooled.Helpers)
	root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
	written := sync.OnceValue(func() *writers { return newWriters(pass.TypesInfo, root) })
	var in *scope
	for c := range root.Preorder((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if around := declaration(c); in == nil || in.at != around {
			in = newScope(pass.TypesInfo, helpers, around)
		}
		vars := in.followed(c)
		if len(vars) == 0 {
			continue
		}
		f := &function{
			Helpers:  helpers,
			pass:     pass,
			vars:     vars,
			by:       map[*types.Var]string{},
			reported: map[*types.Var]bool{},
			selected: map[*ast.SendStmt]bool{},
			lazy:     map[*types.Var]bool{},
			outer:    map[*types.Var]ast.Node{},
			closures: in.closures(),
			writers:  written(),
			literal:  c.Node(),
			around:   in.at.Node(),
		}
		for v := range vars {
			f.fields = f.fields || helpers.Root(v) != v
		}
		if decl, ok := f.around.(*ast.FuncDecl); ok {
			f.decl, _ = pass.TypesInfo.Defs[decl.Name].(*types.Func)
		}
		for clause := range c.Preorder((*ast.CommClause)(nil)) {
			if send, ok := clause.Node().(*ast.CommClause).Comm.(*ast.SendStmt); ok {
				f.selected[send] = true
			}
		}
		var graph *cfg.CFG
		switch fn := c.Node().(type) {
		case *ast.FuncDecl:
			graph = graphs.FuncDecl(fn)
			f.results = pass.TypesInfo.Defs[fn.Name].(*types.Func).Signature().Results()
		case *ast.FuncLit:
			graph = graphs.FuncLit(fn)
			f.results = pass.TypesInfo.TypeOf(fn).(*types.Signature).Results()
		}
		if graph != nil {
			f.check(graph)
		}
	}
	return nil, nil
}
