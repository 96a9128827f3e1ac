package main

import "github.com/heapwright/heapwright/bench/foreign/truth"

var expr = &Port{
	Name: "expr", Path: "github.com/expr-lang/expr", Version: "v1.17.8",
	Lifetimes: "The arena of a context, or one of a pool. Sessions with Close, and ResetTo after each run, in worker goroutines. A deferred closure frees, a Map counts, errors are cloned.",
	Moves: []Move{
		{"parser/parser.go", "inTree(p, ", []string{"BinaryNode", "UnaryNode", "IdentifierNode", "StringNode", "IntegerNode", "FloatNode", "BoolNode", "BuiltinNode", "CallNode", "MemberNode", "ConditionalNode", "PointerNode", "PredicateNode", "ArrayNode", "PairNode", "MapNode", "SequenceNode", "VariableDeclaratorNode", "NilNode", "ChainNode", "SliceNode"}},
	},
	Edits: []truth.Edit{
		{At: "expr.go:274", Lines: `	return EvalContext(context.Background(), input, env)
}

// EvalContext is Eval in the arena of ctx, if there is one.
func EvalContext(ctx context.Context, input string, env any) (any, error) {
	a := arena.FromContext(ctx)
	if a == nil {
		a = trees.Get()
		defer a.Free()
	}
	tree, err := parser.ParseIn(a, input, nil)`},
		{At: "expr.go:267+", Lines: `var trees arena.Pool
`},
		{At: "expr.go:18+", Lines: `	"github.com/heapwright/heapwright/arena"`},
		{At: "expr.go:3+", Lines: `	"context"`},
		{At: "parser/parser.go:57+", Lines: `	nodes            *arena.Arena // of the tree; nil is the heap`},
		{At: "parser/parser.go:17+", Lines: `	"github.com/heapwright/heapwright/arena"`},
		{At: "vm/vm.go:700+", Lines: `	if vm.room != nil {
		return arena.New[Scope](vm.room)
	}`},
		{At: "vm/vm.go:50+", Lines: `	room         *arena.Arena // of the scopes; nil is the pool`},
		{At: "vm/vm.go:26-27", Lines: `	s := NewSession()
	defer s.Close()
	return s.Run(program, env)`},
		{At: "vm/vm.go:17+", Lines: `	"github.com/heapwright/heapwright/arena"`},
	},
	Packages: []string{".", "./parser/...", "./vm/...", "./checker/...", "./compiler/...", "./optimizer/...", "./test/..."},
	Plants:   exprPlants,
}
