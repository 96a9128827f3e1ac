// Package poolcap finds pools that keep buffers of any capacity.
package poolcap

import (
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/pooled"
)

const doc = `report pools that keep buffers of any capacity

A sync.Pool hands out its values in no particular order. If one of many buffers grows
to hold an unusually large value, every later use may be served with it, and the pool
keeps it alive for as long as the buffers are in use (go.dev/issue/23199). In the end
all buffers of the pool are as large as the largest value.

	bufPool.Put(buf)  →  if buf.Cap() <= 64<<10 {
	                     	bufPool.Put(buf)
	                     }

The check reports the Put of a bytes.Buffer, of a slice that the package grows, and
of a struct with a bytes.Buffer or []byte that it empties and fills again. It
is silent if any function of the package that handles the value compares its
capacity or length with a limit, or drops the buffer, and for arrays of pools, which
hold one class of sizes each. Buffers that only ever hold a
few bytes are reported too: the check cannot see that.

There is no fix: only the author knows the sizes that are common.`

// Analyzer finds pools that keep buffers of any capacity.
var Analyzer = &analysis.Analyzer{
	Name:     "poolcap",
	Doc:      doc,
	Requires: []*analysis.Analyzer{pooled.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	helpers := pass.ResultOf[pooled.Analyzer].(*pooled.Helpers)
	for _, pool := range helpers.Pools() {
		if !pool.Whole || pool.Class {
			continue
		}
		s := survey(pass.TypesInfo, helpers, pool)
		for _, put := range pool.Puts {
			t := pass.TypesInfo.TypeOf(put.Operand)
			if buffer := s.unbounded(t); buffer != "" {
				pass.Report(analysis.Diagnostic{
					Pos:     put.Call.Pos(),
					End:     put.Call.End(),
					Message: fmt.Sprintf("the pool keeps %s at any capacity to which it grew", name(put.Operand, buffer)),
					Related: s.related(strings.TrimPrefix(buffer, root)),
				})
			}
		}
	}
	return nil, nil
}

// maxRelated bounds the places that a report names.
const maxRelated = 8

// related returns the places that fill the buffer at a path.
func (s *buffers) related(path string) []analysis.RelatedInformation {
	var all []analysis.RelatedInformation
	for _, n := range s.sites[path] {
		if len(all) < maxRelated {
			all = append(all, analysis.RelatedInformation{Pos: n.Pos(), End: n.End(), Message: "filled here"})
		}
	}
	return all
}

// name returns the words for the buffer at a path of the operand.
func name(operand ast.Expr, path string) string {
	if path == root {
		path = ""
	}
	switch e := ast.Unparen(operand).(type) {
	case *ast.Ident:
		return e.Name + path
	case *ast.UnaryExpr:
		return name(e.X, path)
	}
	if path == "" {
		return "the buffer"
	}
	return fmt.Sprintf("the buffer %s", path[1:])
}
