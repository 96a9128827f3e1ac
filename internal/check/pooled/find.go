package pooled

import (
	"container/heap"
	"go/ast"
	"go/types"
	"sort"

	"golang.org/x/tools/go/ast/inspector"
)

// declaration is a function with a body.
type declaration struct {
	fn      *types.Func
	body    *ast.BlockStmt
	callers []int // indices of the functions that call it
}

// findHelpers describes the functions of a package. A helper may call another one that
// is declared below it, so a function is described again when a callee has changed: in
// rounds, each in the order of the source. It returns the number of descriptions.
func (h *Helpers) findHelpers(root inspector.Cursor) int {
	all := h.declarations(root)
	queue := &queue{due: map[int]bool{}}
	for i := range all {
		heap.Push(queue, i)
	}
	n := 0
	for ; queue.Len() > 0; n++ {
		at := heap.Pop(queue).(int) // the number of its round, and its index
		f := all[at%len(all)]
		old, now := h.known[f.fn], h.describe(f.fn, f.body)
		if len(now.Puts) <= len(old.Puts) && len(now.Fields) <= len(old.Fields) && (old.Gets || !now.Gets) && (old.Shares || !now.Shares) {
			continue
		}
		h.known[f.fn] = now
		for _, caller := range f.callers {
			due := at - at%len(all) + caller
			if due <= at {
				due += len(all)
			}
			if !queue.due[due] {
				heap.Push(queue, due)
			}
		}
	}
	return n
}

// declarations returns the functions of a package in the order of the source.
func (h *Helpers) declarations(root inspector.Cursor) []*declaration {
	var all []*declaration
	index := map[*types.Func]int{}
	for c := range root.Preorder((*ast.FuncDecl)(nil)) {
		decl := c.Node().(*ast.FuncDecl)
		if fn, ok := h.info.Defs[decl.Name].(*types.Func); ok && decl.Body != nil {
			index[fn] = len(all)
			all = append(all, &declaration{fn: fn, body: decl.Body})
		}
	}
	for i, f := range all {
		ast.Inspect(f.body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if callee, ok := index[h.callee(call)]; ok {
					all[callee].callers = append(all[callee].callers, i)
				}
			}
			return true
		})
	}
	return all
}

// queue is a heap without duplicates.
type queue struct {
	sort.IntSlice
	due map[int]bool
}

func (q *queue) Push(x any) {
	q.IntSlice = append(q.IntSlice, x.(int))
	q.due[x.(int)] = true
}

func (q *queue) Pop() any {
	last := q.IntSlice[q.Len()-1]
	q.IntSlice = q.IntSlice[:q.Len()-1]
	delete(q.due, last)
	return last
}
