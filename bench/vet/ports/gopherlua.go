package main

import "github.com/heapwright/heapwright/bench/foreign/truth"

var gopherLua = &Port{
	Name: "gopher-lua", Path: "github.com/yuin/gopher-lua", Version: "v1.1.2",
	Lifetimes: "NewArena in Load, freed by hand on each path. Passed through the parser and the compiler, to nil for the heap. Slices grow by Append, labels are a Map, the code is cloned.",
	Moves: []Move{
		{"parse/parser.go", "inTree(yylex, ", []string{"ast.AssignStmt", "ast.FuncCallStmt", "ast.IfStmt", "ast.LocalAssignStmt", "ast.ReturnStmt", "ast.FuncName", "ast.StringExpr", "ast.IdentExpr", "ast.AttrGetExpr", "ast.NumberExpr", "ast.LogicalOpExpr", "ast.RelationalOpExpr", "ast.StringConcatOpExpr", "ast.ArithmeticOpExpr", "ast.FuncCallExpr", "ast.FunctionExpr", "ast.TableExpr"}},
	},
	Edits: []truth.Edit{
		{At: "compile.go:1866", Lines: `	context := newFuncContext(room, name, nil)`},
		{At: "compile.go:1860-1861", Lines: `	parlist := arena.New[ast.ParList](room)
	parlist.HasVargs = true
	funcexpr := arena.New[ast.FunctionExpr](room)
	funcexpr.ParList, funcexpr.Stmts = parlist, chunk`},
		{At: "compile.go:1849+", Lines: `	return compileIn(nil, chunk, name)
}

// compileIn is Compile with its scratch memory in room.
func compileIn(room *arena.Arena, chunk []ast.Stmt, name string) (proto *FunctionProto, err error) {`},
		{At: "compile.go:1347+", Lines: `	context.Proto.Code = arena.Clone(context.Code.List())
	context.Proto.DbgSourcePositions = arena.Clone(context.Code.PosList())`},
		{At: "compile.go:1338", Lines: `	context.Proto.DbgUpvalues = arena.Clone(context.Upvalues.Names())`},
		{At: "compile.go:1227", Lines: `		childcontext := newFuncContext(context.room, context.Proto.SourceName, context)`},
		{At: "compile.go:574", Lines: `	fc.Block = newCodeBlock(fc.room, newVarNamePool(fc.room, fc.RegTop()), blabel, fc.Block, pos, fc.gotosCount)`},
		{At: "compile.go:568", Lines: `		result = arena.Append(fc.room, result, block.LocalVars.List()...)`},
		{At: "compile.go:566", Lines: `	result := arena.MakeSlice[varNamePoolValue](fc.room, 0, 32)`},
		{At: "compile.go:420-421", Lines: `		Upvalues:        newVarNamePool(room, 0),
		Block:           newCodeBlock(room, newVarNamePool(room, 0), labelNoJump, nil, nil, 0),`},
		{At: "compile.go:418", Lines: `		Code:            newCodeStore(room),
		room:            room,`},
		{At: "compile.go:415", Lines: `func newFuncContext(room *arena.Arena, sourcename string, parent *funcContext) *funcContext {`},
		{At: "compile.go:412+", Lines: `	room            *arena.Arena // for all that ends with the compilation; nil is the heap`},
		{At: "compile.go:387", Lines: `	if v, ok := b.labels.Get(label); ok {`},
		{At: "compile.go:382", Lines: `	b.labels.Set(label.Name, label)`},
		{At: "compile.go:379", Lines: `	if old, ok := b.labels.Get(label.Name); ok {`},
		{At: "compile.go:369-370", Lines: `func newCodeBlock(room *arena.Arena, localvars *varNamePool, blabel int, parent *codeBlock, pos ast.PositionHolder, firstGotoIndex int) *codeBlock {
	bl := arena.New[codeBlock](room)
	bl.LocalVars, bl.BreakLabel, bl.Parent, bl.firstGotoIndex = localvars, blabel, parent, firstGotoIndex
	bl.labels = arena.NewMap[string, *gotoLabelDesc](room, 0)`},
		{At: "compile.go:365", Lines: `	labels         *arena.Map[string, *gotoLabelDesc]`},
		{At: "compile.go:350", Lines: `	vp.names = arena.Append(vp.room, vp.names, name)`},
		{At: "compile.go:320", Lines: `	result := arena.MakeSlice[varNamePoolValue](vp.room, len(vp.names), len(vp.names))`},
		{At: "compile.go:311-312", Lines: `func newVarNamePool(room *arena.Arena, offset int) *varNamePool {
	pool := arena.New[varNamePool](room)
	pool.names, pool.offset, pool.room = arena.MakeSlice[string](room, 0, 16), offset, room
	return pool`},
		{At: "compile.go:308+", Lines: `	room   *arena.Arena`},
		{At: "compile.go:182-183", Lines: `		cd.codes = arena.Append(cd.room, cd.codes, inst)
		cd.lines = arena.Append(cd.room, cd.lines, line)`},
		{At: "compile.go:177+", Lines: `	room  *arena.Arena
}

func newCodeStore(room *arena.Arena) *codeStore {
	cd := arena.New[codeStore](room)
	cd.codes, cd.lines, cd.room = arena.MakeSlice[uint32](room, 0, 64), arena.MakeSlice[int](room, 0, 64), room
	return cd`},
		{At: "compile.go:8+", Lines: `
	"github.com/heapwright/heapwright/arena"`},
		{At: "parse/lexer.go:469", Lines: `	return ParseIn(nil, reader, name)
}

func parse(lexer *Lexer) (chunk []ast.Stmt, err error) {`},
		{At: "parse/lexer.go:443+", Lines: `
	nodes *arena.Arena // of the tree; nil is the heap`},
		{At: "parse/lexer.go:12+", Lines: `
	"github.com/heapwright/heapwright/arena"`},
		{At: "state.go:2021+", Lines: `	room.Free()`},
		{At: "state.go:2019+", Lines: `		room.Free()`},
		{At: "state.go:2018", Lines: `	proto, err := compileIn(room, chunk, name)`},
		{At: "state.go:2015+", Lines: `		room.Free()`},
		{At: "state.go:2014", Lines: `	room := arena.NewArena()
	chunk, err := parse.ParseIn(room, reader, name)`},
		{At: "state.go:19+", Lines: `
	"github.com/heapwright/heapwright/arena"`},
	},
	Packages: []string{"."},
	Plants:   gopherLuaPlants,
}
