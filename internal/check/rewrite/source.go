package rewrite

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzer makes the Source of a package. The checks share it: a search of the whole
// file or function for each report would take quadratic time.
var Analyzer = &analysis.Analyzer{
	Name:       "rewrite",
	Doc:        "find the mentions of each variable, and the files that fixes may edit",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	ResultType: reflect.TypeFor[*Source](),
	Run: func(pass *analysis.Pass) (any, error) {
		s := &Source{Info: pass.TypesInfo, files: map[*ast.File]func() *File{}}
		root := Files(pass)
		s.mentions = sync.OnceValue(func() map[*types.Var][]inspector.Cursor { return mentions(pass.TypesInfo, root) })
		excluded := sync.OnceValues(func() (map[string]bool, bool) { return excluded(pass) })
		for _, tree := range pass.Files {
			s.files[tree] = sync.OnceValue(func() *File { return newFile(pass, tree, excluded) })
		}
		return s, nil
	},
}

// Source answers the questions of checks about one package. Several analyzers ask at
// the same time. Each answer is found once.
type Source struct {
	Info     *types.Info
	files    map[*ast.File]func() *File
	mentions func() map[*types.Var][]inspector.Cursor
	local    sync.Map // variable → whether it is Local to its function
	counts   sync.Map // loop → counted
}

// Of returns the Source of an analyzer that requires Analyzer.
func Of(pass *analysis.Pass) *Source { return pass.ResultOf[Analyzer].(*Source) }

// mentions returns the identifiers of each local variable in the order of the source.
func mentions(info *types.Info, root inspector.Cursor) map[*types.Var][]inspector.Cursor {
	all := map[*types.Var][]inspector.Cursor{}
	for c := range root.Preorder((*ast.Ident)(nil)) {
		v, ok := info.ObjectOf(c.Node().(*ast.Ident)).(*types.Var)
		if ok && !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() {
			all[v] = append(all[v], c)
		}
	}
	return all
}

// Mentions returns the identifiers below c that denote a local variable.
func (s *Source) Mentions(c inspector.Cursor, v *types.Var) []inspector.Cursor {
	all := s.mentions()[v]
	from, _ := slices.BinarySearchFunc(all, c, func(id, c inspector.Cursor) int { return int(id.Node().Pos() - c.Node().Pos()) })
	to := from
	for to < len(all) && c.Contains(all[to]) {
		to++
	}
	return all[from:to]
}

// Local reports whether v is a variable of the function fn that only fn's own
// statements read and write: its address is not taken and no closure holds it.
// A result with a name is not local, since returning reads it.
func (s *Source) Local(fn inspector.Cursor, v *types.Var) bool {
	if v == nil || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() || v.Kind() == types.ResultVar {
		return false
	}
	if v.Pos() < fn.Node().Pos() || fn.Node().End() <= v.Pos() {
		return false // a function around this one declares it
	}
	type place struct {
		fn ast.Node
		v  *types.Var
	}
	if known, ok := s.local.Load(place{fn.Node(), v}); ok {
		return known.(bool)
	}
	local := !slices.ContainsFunc(s.mentions()[v], func(id inspector.Cursor) bool {
		return fn.Contains(id) && (Function(id).Node() != fn.Node() || Addressed(s.Info, id))
	})
	s.local.Store(place{fn.Node(), v}, local)
	return local
}
