package retention

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

type kind int

const (
	other  kind = iota
	entire      // a whole input
	list        // its parts, in a slice
	part        // one part of it
)

// piece is the part that an expression holds of an input that src reads.
type piece struct {
	kind kind
	src  ast.Node
}

// sources lists the functions that return a whole input.
var sources = map[string]bool{
	"os.ReadFile":                     true,
	"io.ReadAll":                      true,
	"io/ioutil.ReadFile":              true,
	"io/ioutil.ReadAll":               true,
	"io/fs.ReadFile":                  true,
	"(*os/exec.Cmd).Output":           true,
	"(*os/exec.Cmd).CombinedOutput":   true,
	"(*bytes.Buffer).Bytes":           true,
	"(*bytes.Buffer).String":          true,
	"(*strings.Builder).String":       true,
	"net/http/httputil.DumpRequest":   true,
	"net/http/httputil.DumpResponse":  true,
	"(embed.FS).ReadFile":             true,
	"(*archive/zip.ReadCloser).Bytes": true,
}

// same lists functions that return their first argument, or most of it.
var same = map[string]bool{
	"TrimSpace": true, "Trim": true, "TrimLeft": true, "TrimRight": true, "TrimPrefix": true, "TrimSuffix": true,
	"TrimFunc": true, "TrimLeftFunc": true, "TrimRightFunc": true,
}

// splits lists functions that cut their first argument into parts.
var splits = map[string]bool{
	"Split": true, "SplitN": true, "SplitAfter": true, "SplitAfterN": true, "Fields": true, "FieldsFunc": true,
}

// finds lists methods of regexp.Regexp by the kind of their result.
var finds = map[string]kind{
	"(*regexp.Regexp).Find":               part,
	"(*regexp.Regexp).FindString":         part,
	"(*regexp.Regexp).FindSubmatch":       list,
	"(*regexp.Regexp).FindStringSubmatch": list,
}

// large is the smallest size in bytes of a slice made by make that counts as an
// input. Smaller ones are not worth a copy.
const large = 64 << 10

// cutter classifies the expressions of one function after another.
type cutter struct {
	pass    *analysis.Pass
	results map[*types.Func]Result
	vars    map[*types.Var]piece
	calls   map[*ast.CallExpr]piece // the pieces of calls, until vars changes: the arguments of calls may be calls
	sources bool                    // the function reads an input
	changed bool                    // read learnt something new
}

// read classifies the variables of a function. Those of start are known.
func (c *cutter) read(body *ast.BlockStmt, start map[*types.Var]piece) {
	c.vars, c.calls = map[*types.Var]piece{}, map[*ast.CallExpr]piece{}
	for v, p := range start {
		c.vars[v] = p
	}
	c.sources = false
	bad := map[*types.Var]bool{}
	for c.changed = true; c.changed; {
		c.changed = false
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				c.sources = c.sources || c.call(n).kind == entire
			case *ast.AssignStmt:
				c.assign(n, bad)
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if len(n.Values) == len(n.Names) {
						c.set(name, c.classify(n.Values[i]), n.Values[i], bad)
					}
				}
			case *ast.RangeStmt:
				if p := c.classify(n.X); p.kind == list && n.Value != nil {
					c.set(n.Value, piece{part, p.src}, nil, bad)
				}
			}
			return true
		})
	}
}

func (c *cutter) assign(n *ast.AssignStmt, bad map[*types.Var]bool) {
	if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
		for _, left := range n.Lhs { // s += …
			c.set(left, piece{}, n.Rhs[0], bad)
		}
		return
	}
	if len(n.Lhs) == len(n.Rhs) {
		for i, left := range n.Lhs {
			c.set(left, c.classify(n.Rhs[i]), n.Rhs[i], bad)
		}
		return
	}
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return
	}
	p := c.classify(call)
	c.set(n.Lhs[0], p, call, bad)
	if c.name(call) == "Cut" { // most of the input may come after the cut
		c.set(n.Lhs[1], piece{entire, p.src}, call, bad)
	}
}

// set records the piece that a variable holds. One that also holds something else is
// not followed.
func (c *cutter) set(left ast.Expr, p piece, from ast.Expr, bad map[*types.Var]bool) {
	v := rewrite.Variable(c.pass.TypesInfo, left)
	if v == nil || v.IsField() {
		return
	}
	if p.kind == other {
		if from != nil && !empty(c.pass.TypesInfo, from) && v.Kind() != types.ParamVar {
			bad[v] = true
			if _, known := c.vars[v]; known {
				delete(c.vars, v)
				clear(c.calls)
			}
		}
		return
	}
	if old := c.vars[v]; old.kind < p.kind && !bad[v] {
		c.vars[v] = p
		clear(c.calls)
		c.changed = true
	}
}

// empty reports whether e is nil or a constant.
func empty(info *types.Info, e ast.Expr) bool {
	return info.Types[e].IsNil() || info.Types[e].Value != nil
}

func (c *cutter) classify(e ast.Expr) piece {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return c.vars[rewrite.Variable(c.pass.TypesInfo, e)]
	case *ast.SliceExpr:
		p := c.classify(e.X)
		if p.kind == entire && e.High != nil {
			p.kind = part
		}
		return p
	case *ast.IndexExpr:
		if p := c.classify(e.X); p.kind == list {
			return piece{part, p.src}
		}
	case *ast.CallExpr:
		return c.call(e)
	}
	return piece{}
}

func (c *cutter) call(call *ast.CallExpr) piece {
	p, known := c.calls[call]
	if !known {
		p = c.result(call)
		c.calls[call] = p
	}
	return p
}

func (c *cutter) result(call *ast.CallExpr) piece {
	info := c.pass.TypesInfo
	if info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		p := c.classify(call.Args[0])
		if copies(info.TypeOf(call), info.TypeOf(call.Args[0])) {
			if p.kind == entire {
				return piece{entire, call}
			}
			return piece{}
		}
		return p
	}
	if rewrite.IsBuiltin(info, call, "make") {
		if size := info.Types[call.Args[len(call.Args)-1]].Value; size != nil && rewrite.IsBytes(info.TypeOf(call)) {
			if n, exact := constant.Int64Val(constant.ToInt(size)); exact && n >= large {
				return piece{entire, call}
			}
		}
		return piece{}
	}
	name := rewrite.Callee(info, call)
	if sources[name] {
		return piece{entire, call}
	}
	if k := finds[name]; k != other {
		if p := c.classify(call.Args[0]); p.kind != other {
			return piece{k, p.src}
		}
		return piece{}
	}
	if len(call.Args) == 0 {
		return c.helper(call, piece{})
	}
	p := c.classify(call.Args[0])
	switch n := c.name(call); {
	case same[n]:
		return p
	case p.kind == other:
	case splits[n]:
		return piece{list, p.src}
	case n == "Cut":
		return piece{part, p.src}
	}
	return c.helper(call, p)
}

// helper applies the description of a function that the program declares.
func (c *cutter) helper(call *ast.CallExpr, arg piece) piece {
	fn := typeutil.StaticCallee(c.pass.TypesInfo, call)
	if fn == nil {
		return piece{}
	}
	r, known := c.results[fn.Origin()]
	if !known && fn.Pkg() != c.pass.Pkg {
		c.pass.ImportObjectFact(fn.Origin(), &r)
		c.results[fn.Origin()] = r
	}
	switch {
	case r.Whole:
		return piece{entire, call}
	case r.Part && arg.kind != other:
		return piece{part, arg.src}
	}
	return piece{}
}

// name returns the name of a function of package strings or bytes, or "".
func (c *cutter) name(call *ast.CallExpr) string {
	fn := typeutil.StaticCallee(c.pass.TypesInfo, call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return ""
	}
	if path := fn.Pkg().Path(); path != "strings" && path != "bytes" {
		return ""
	}
	return fn.Name()
}

// describe derives the first result of a function.
func (c *cutter) describe(decl *ast.FuncDecl) {
	fn, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || decl.Body == nil || fn.Signature().Results().Len() == 0 || !text(fn.Signature().Results().At(0).Type()) {
		return
	}
	start := map[*types.Var]piece{}
	if params := fn.Signature().Params(); params.Len() > 0 && text(params.At(0).Type()) {
		start[params.At(0)] = piece{entire, decl}
	}
	c.read(decl.Body, start)
	if len(c.vars) == 0 && !c.sources {
		return
	}
	var r Result
	known := true
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				known = false
				return true
			}
			switch p := c.classify(n.Results[0]); {
			case empty(c.pass.TypesInfo, n.Results[0]):
			case p.kind == part && p.src == ast.Node(decl):
				r.Part = true
			case p.kind == entire && p.src != ast.Node(decl):
				r.Whole = true
			default:
				known = false
			}
		}
		return true
	})
	if known && r.Whole != r.Part {
		c.results[fn] = r
	}
}

// text reports whether values of type t are strings or bytes.
func text(t types.Type) bool {
	basic, ok := types.Unalias(t).Underlying().(*types.Basic)
	return rewrite.IsBytes(t) || ok && basic.Info()&types.IsString != 0
}

// copies reports whether a conversion between two types copies memory.
func copies(to, from types.Type) bool { return rewrite.IsBytes(to) != rewrite.IsBytes(from) }
