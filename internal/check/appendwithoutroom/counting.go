package appendwithoutroom

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// counting is a loop that only computes what another loop is going to add.
type counting struct {
	source *rewrite.Source
	file   *rewrite.File
	loop   inspector.Cursor
	name   string // the sum's
	// harmless calls change nothing but what the loop grows; nil if there are none.
	harmless func(*ast.CallExpr) bool
	// added returns what a statement adds, nil if it adds nothing, and false if that is not known.
	added func(ast.Stmt) (*sum, bool)
	// touches reports whether a statement may add something.
	touches func(ast.Stmt) bool
	// reads are all expressions that the loop evaluates.
	reads []ast.Expr
	// inner are the variables of loops in the loop, with the bodies that they are for.
	inner map[*types.Var]*ast.BlockStmt
}

// sum is a number of elements or bytes: a constant, and the lengths of expressions.
type sum struct {
	constant int64
	lengths  []ast.Expr
}

func (s *sum) add(other *sum) {
	s.constant += other.constant
	s.lengths = append(s.lengths, other.lengths...)
}

// text returns the sum as an expression, "" for 0.
func (s *sum) text(f *rewrite.File) string {
	var terms []string
	for _, e := range s.lengths {
		terms = append(terms, "len("+f.Text(e)+")")
	}
	if s.constant > 0 {
		terms = append(terms, strconv.FormatInt(s.constant, 10))
	}
	return strings.Join(terms, " + ")
}

// body returns the statements of the counting loop for statements of the other. It reports
// false if these add what cannot be computed before.
func (c *counting) body(stmts []ast.Stmt) (string, bool) {
	var b strings.Builder
	all := &sum{}
	flush := func() {
		switch text := all.text(c.file); {
		case text == "":
		case text == "1":
			b.WriteString(c.name + "++\n")
		default:
			b.WriteString(c.name + " += " + text + "\n")
		}
		c.reads = append(c.reads, all.lengths...)
		all = &sum{}
	}
	for _, s := range stmts {
		more, ok := c.added(s)
		if !ok {
			return "", false
		}
		if more != nil {
			all.add(more)
			continue
		}
		text := ""
		switch s := s.(type) {
		case *ast.IfStmt:
			text, ok = c.branch(s)
		case *ast.RangeStmt:
			text, ok = c.nested(s)
		default:
			ok = !jumps(s)
		}
		if !ok {
			return "", false
		}
		if text != "" {
			flush()
			b.WriteString(text)
		}
	}
	flush()
	return b.String(), true
}

// branch returns an if statement whose branches add something or continue, "" if they do
// neither.
func (c *counting) branch(s *ast.IfStmt) (string, bool) {
	yes, no := "", ""
	var ok bool
	if last, found := s.Body.List, len(s.Body.List); found > 0 && isContinue(last[found-1]) {
		if yes, ok = c.body(last[:found-1]); ok {
			yes += "continue\n"
		}
	} else {
		yes, ok = c.body(s.Body.List)
	}
	if !ok {
		return "", false
	}
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		no, ok = c.body(e.List)
	case *ast.IfStmt:
		no, ok = c.branch(e)
	}
	if !ok || yes == "" && no == "" {
		return "", ok
	}
	if s.Init != nil || !rewrite.Pure(c.source.Info, s.Cond) {
		return "", false
	}
	c.reads = append(c.reads, s.Cond)
	if yes == "" {
		return "if " + c.not(s.Cond) + " {\n" + no + "}\n", true
	}
	text := "if " + c.file.Text(s.Cond) + " {\n" + yes + "}"
	switch s.Else.(type) {
	case *ast.IfStmt:
		if no != "" {
			return text + " else " + no, true
		}
	case *ast.BlockStmt:
		if no != "" {
			text += " else {\n" + no + "}"
		}
	}
	return text + "\n", true
}

// opposite are the operators that are true where others are false, for all but NaN.
var opposite = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: ">=", token.GEQ: "<", token.GTR: "<=", token.LEQ: ">",
}

// not returns the opposite of a condition.
func (c *counting) not(cond ast.Expr) string {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return c.file.Text(e.X)
		}
	case *ast.BinaryExpr:
		basic, ok := c.source.Info.TypeOf(e.X).Underlying().(*types.Basic)
		if op := opposite[e.Op]; ok && op != "" && basic.Info()&types.IsFloat == 0 {
			return c.file.Text(e.X) + " " + op + " " + c.file.Text(e.Y)
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr:
		return "!" + c.file.Text(e)
	}
	return "!(" + c.file.Text(cond) + ")"
}

// nested returns a loop in the loop, "" if it adds nothing.
func (c *counting) nested(s *ast.RangeStmt) (string, bool) {
	if !c.touches(s) {
		return "", !jumps(s)
	}
	info := c.source.Info
	switch info.TypeOf(s.X).Underlying().(type) {
	case *types.Slice, *types.Array:
	default:
		return "", false
	}
	if s.Tok == token.ASSIGN || !rewrite.Pure(info, s.X) {
		return "", false
	}
	c.reads = append(c.reads, s.X)
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && rewrite.Variable(info, e) != nil {
			c.inner[rewrite.Variable(info, e)] = s.Body
		}
	}
	text, ok := c.body(s.Body.List)
	if !ok || text == c.name+"++\n" {
		return c.name + " += len(" + c.file.Text(s.X) + ")\n", ok
	}
	header, ok := c.rangeHeader(s)
	return header + "{\n" + text + "}\n", ok
}

func isContinue(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.CONTINUE && b.Label == nil
}

// jumps reports whether a statement can end the iteration.
func jumps(s ast.Stmt) bool { return rewrite.Leaves(&ast.BlockStmt{List: []ast.Stmt{s}}) }

// maxReads bounds the nodes of the expressions that a counting loop evaluates. Larger ones
// cost about as much as growing.
const maxReads = 24

// loopText returns the counting loop, which evaluates nothing but its reads. It reports
// false if the other loop may read other values, or if the reads cost too much.
func (c *counting) loopText() (string, bool) {
	c.reads, c.inner = nil, map[*types.Var]*ast.BlockStmt{}
	text, ok := c.body(bodyOf(c.loop.Node()).List)
	if !ok || text == "" || c.size() > maxReads {
		return "", false
	}
	header, ok := c.header()
	if !ok || !c.ofElements() || !c.repeatable() {
		return "", false
	}
	return header + "{\n" + withoutLastContinue(text) + "}\n", true
}

// withoutLastContinue removes a continue after which the loop's body ends, and an if
// statement that is only for it.
func withoutLastContinue(text string) string {
	rest, ok := strings.CutSuffix(text, "continue\n}\n")
	if !ok {
		return text
	}
	if !strings.HasSuffix(rest, "{\n") {
		return rest + "}\n"
	}
	last := strings.LastIndex("\n"+rest[:len(rest)-1], "\n")
	if strings.HasPrefix(rest[last:], "if ") {
		return rest[:last]
	}
	return text
}

// ofElements reports whether a read mentions anything but the index of the loop, whose
// values need no loop to be counted.
func (c *counting) ofElements() bool {
	loop, ok := c.loop.Node().(*ast.RangeStmt)
	return !ok || len(c.inner) > 0 || c.variable(loop.Value) != "_" || c.indexes(loop)
}

// indexes reports whether a read looks at an element by the index of the loop.
func (c *counting) indexes(loop *ast.RangeStmt) bool {
	key := rewrite.Variable(c.source.Info, loop.Key)
	for _, read := range c.reads {
		found := false
		ast.Inspect(read, func(n ast.Node) bool {
			index, ok := n.(*ast.IndexExpr)
			found = found || ok && key != nil && mentions(c.source.Info, index.Index, key)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

func (c *counting) size() (n int) {
	for _, e := range c.reads {
		ast.Inspect(e, func(part ast.Node) bool {
			if part != nil {
				n++
			}
			return true
		})
	}
	return n
}

// header returns the head of the loop with the variables that the reads mention.
func (c *counting) header() (string, bool) {
	switch loop := c.loop.Node().(type) {
	case *ast.RangeStmt:
		return c.rangeHeader(loop)
	case *ast.ForStmt:
		if !c.ofIteration() {
			return "", false // all iterations add the same
		}
		from, to := c.file.Text(loop), c.file.Text(loop.Body)
		return strings.TrimSuffix(from, to), true
	}
	return "", false
}

// rangeHeader reports false if all iterations add the same.
func (c *counting) rangeHeader(loop *ast.RangeStmt) (string, bool) {
	if loop.Tok == token.ASSIGN {
		return "", false
	}
	key, value := c.variable(loop.Key), c.variable(loop.Value)
	over := "range " + c.file.Text(loop.X) + " "
	switch {
	case key == "_" && value == "_":
		return "", false
	case value == "_":
		return "for " + key + " := " + over, true
	}
	return "for " + key + ", " + value + " := " + over, true
}

// names returns the candidates that the loop does not mention.
func (c *counting) names(candidates ...string) []string {
	for id := range c.loop.Preorder((*ast.Ident)(nil)) {
		taken := id.Node().(*ast.Ident).Name
		candidates = slices.DeleteFunc(candidates, func(name string) bool { return name == taken })
	}
	return candidates
}

// variable returns the name of a loop's variable, or "_" if the reads do not mention it.
func (c *counting) variable(e ast.Expr) string {
	if e == nil {
		return "_"
	}
	v := rewrite.Variable(c.source.Info, e)
	for _, read := range c.reads {
		if v != nil && mentions(c.source.Info, read, v) {
			return v.Name()
		}
	}
	return "_"
}

func mentions(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && info.Uses[id] == v
		return !found
	})
	return found
}

// repeatable reports whether the reads have the same values before the loop, and whether a
// panic of one changes nothing that anybody sees: they consist of variables that the loop
// does not change, or the loop changes local variables only.
func (c *counting) repeatable() bool {
	info, loop := c.source.Info, c.loop.Node()
	fn, body := rewrite.Function(c.loop), bodyOf(loop)
	still := true
	for _, read := range c.reads {
		still = still && !rewrite.Panics(info, read)
		ok := true
		ast.Inspect(read, func(n ast.Node) bool {
			id, is := n.(*ast.Ident)
			if !is {
				return ok
			}
			v, is := info.Uses[id].(*types.Var)
			if !is || v.IsField() {
				return ok
			}
			if inner := c.inner[v]; inner != nil {
				ok = ok && !rewrite.Writes(info, inner, v)
			} else if within(body, v) || rewrite.Writes(info, body, v) {
				ok = false // each iteration has another value
			}
			still = still && c.source.Local(fn, v)
			return ok
		})
		if !ok {
			return false
		}
	}
	return still || c.source.Quiet(c.loop, c.harmless)
}

func within(n ast.Node, v *types.Var) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }
