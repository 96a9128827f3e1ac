// Package poolreset finds pooled values that are never reset.
package poolreset

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/pooled"
)

const doc = `report pooled values that are reset neither before Put nor after Get

A value that comes out of a sync.Pool holds whatever its last user left there. If
nothing empties it, a buffer, slice or map grows with every use, keeps all that it
holds alive, and shows one request's data to the next.

	buf := pool.Get().(*bytes.Buffer)
	buf.WriteString(name)              // appends to the last user's text
	w.Write(buf.Bytes())
	pool.Put(buf)

The check reports a pool if the package adds to its values, and none of the
functions that handle them resets them. To add is to read from or to write to a
value that has a method Reset, to append to a slice, to set an entry of a map, or to
decode JSON, XML or gob into a struct, or to give a struct whose map is printed or
ranged over to a hook that may add to it. To reset is to truncate, to clear, to assign
a new value, or to call a method or function with a name like Reset, Clear or Init. If
the package declares that function, it resets the fields that its body mentions: a
list or a buffer that it leaves out, and that the next user reads, is reported.

There is no fix: only the author knows whether Get or Put is the place.`

// Analyzer finds pooled values that are never reset.
var Analyzer = &analysis.Analyzer{
	Name:     "poolreset",
	Doc:      doc,
	Requires: []*analysis.Analyzer{pooled.Analyzer},
	Run:      run,
}

// maxRelated bounds the places that a report names.
const maxRelated = 8

func run(pass *analysis.Pass) (any, error) {
	helpers := pass.ResultOf[pooled.Analyzer].(*pooled.Helpers)
	for _, pool := range helpers.Pools() {
		if !pool.Whole {
			continue
		}
		u := survey(pass.TypesInfo, helpers, pool)
		put, added := &pool.Puts[0], u.dirty()
		if len(added) == 0 {
			put, added = u.early(pool)
		}
		if len(added) > 0 {
			d := analysis.Diagnostic{
				Pos:     put.Call.Pos(),
				End:     put.Call.End(),
				Message: name(put.Operand, added[0].path) + " goes back to the pool with its contents, and nothing resets it after Get",
			}
			for _, a := range added[:min(len(added), maxRelated)] {
				d.Related = append(d.Related, analysis.RelatedInformation{Pos: a.at.Pos(), End: a.at.End(), Message: "added here"})
			}
			pass.Report(d)
		}
	}
	return nil, nil
}

// name returns the words for the part at a path of the operand.
func name(operand ast.Expr, path string) string {
	switch e := ast.Unparen(operand).(type) {
	case *ast.Ident:
		return e.Name + path
	case *ast.UnaryExpr:
		return name(e.X, path)
	}
	if path == "" {
		return "the value"
	}
	return "the value's " + strings.TrimPrefix(path, ".")
}

// resets reports whether a function of this name prepares a value for its next use.
func resets(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"reset", "clear", "clean", "init", "recycle", "truncate", "zero", "setup", "renew", "flush", "empty", "release", "free", "close", "drain", "shrink", "reuse"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// holder reports whether t is one of the standard library's types that collect their
// input.
func holder(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
	case "bytes.Buffer", "strings.Builder":
		return true
	}
	return false
}
