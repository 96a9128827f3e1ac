package boxing

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// printer is a function that formats its last arguments as package fmt does.
type printer struct {
	format int // index of the format, -1 if there is none
	first  int // index of the first operand
	remedy string
}

const (
	toWriter = "strconv and WriteString box nothing"
	toBytes  = "append and strconv box nothing"
	toString = "concatenation and strconv box nothing"
)

var printers = map[string]printer{
	"fmt.Fprint":   {-1, 1, toWriter},
	"fmt.Fprintln": {-1, 1, toWriter},
	"fmt.Fprintf":  {1, 2, toWriter},
	"fmt.Append":   {-1, 1, toBytes},
	"fmt.Appendln": {-1, 1, toBytes},
	"fmt.Appendf":  {1, 2, toBytes},
	"fmt.Sprint":   {-1, 0, toString},
	"fmt.Sprintln": {-1, 0, toString},
	"fmt.Sprintf":  {0, 1, toString},
}

// printer returns how a call formats its arguments.
func (s *search) printer(call *ast.CallExpr, fn *types.Func) (printer, bool) {
	p, ok := printers[fn.FullName()]
	if !ok {
		return s.wrapper(fn)
	}
	if p.remedy == toWriter && standardStream(s.pass.TypesInfo, call.Args[0]) {
		return printer{}, false
	}
	return p, true
}

// standardStream reports whether a writer is os.Stdout or os.Stderr, to which each
// print is a system call.
func standardStream(info *types.Info, w ast.Expr) bool {
	sel, ok := ast.Unparen(w).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := info.Uses[sel.Sel].(*types.Var)
	return ok && v.Pkg() != nil && v.Pkg().Path() == "os" && (v.Name() == "Stdout" || v.Name() == "Stderr")
}

// wrapper recognizes functions of the package that only hand their arguments on to a
// function of fmt that writes or appends.
func (s *search) wrapper(fn *types.Func) (printer, bool) {
	decl := s.declared[fn]
	sig := fn.Signature()
	if decl == nil || !sig.Variadic() || len(decl.Body.List) != 1 {
		return printer{}, false
	}
	last := sig.Params().At(sig.Params().Len() - 1)
	var found printer
	ok := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || !call.Ellipsis.IsValid() || rewrite.Variable(s.pass.TypesInfo, call.Args[len(call.Args)-1]) != last {
			return true
		}
		p, is := printers[rewrite.Callee(s.pass.TypesInfo, call)]
		if !is || p.remedy == toString || p.first != len(call.Args)-1 || p.remedy == toWriter && standardStream(s.pass.TypesInfo, call.Args[0]) {
			return true
		}
		found, ok = printer{-1, sig.Params().Len() - 1, p.remedy}, true
		if p.format >= 0 {
			v := rewrite.Variable(s.pass.TypesInfo, call.Args[p.format])
			found.format = index(sig.Params(), v)
			ok = found.format >= 0
		}
		return false
	})
	return found, ok
}

func index(params *types.Tuple, v *types.Var) int {
	for i := range params.Len() {
		if params.At(i) == v {
			return i
		}
	}
	return -1
}

// formatted returns the boxed operands of a call if each of its operands has the same
// text without fmt.
func (s *search) formatted(call *ast.CallExpr, p printer) []ast.Expr {
	if len(call.Args) < p.first {
		return nil
	}
	operands := call.Args[p.first:]
	verbs := strings.Repeat("v", len(operands))
	if p.format >= 0 {
		format := s.pass.TypesInfo.Types[call.Args[p.format]].Value
		if format == nil || format.Kind() != constant.String {
			return nil
		}
		var ok bool
		if verbs, ok = parse(constant.StringVal(format)); !ok || len(verbs) != len(operands) {
			return nil
		}
	}
	var boxed []ast.Expr
	for i, arg := range operands {
		if !s.simple(arg, verbs[i]) {
			return nil
		}
		if s.boxes(arg) {
			boxed = append(boxed, arg)
		}
	}
	return boxed
}

// parse returns the verbs of a format that has neither flags nor widths, nor a
// precision except for a floating-point number.
func parse(format string) (verbs string, ok bool) {
	for {
		_, after, found := strings.Cut(format, "%")
		if !found {
			return verbs, true
		}
		if after == "" {
			return "", false
		}
		if after[0] == '%' {
			format = after[1:]
			continue
		}
		digits := 0
		if after[0] == '.' {
			digits = 1
			for digits < len(after) && '0' <= after[digits] && after[digits] <= '9' {
				digits++
			}
		}
		if digits >= len(after) || digits > 0 && !strings.ContainsRune("feg", rune(after[digits])) || !strings.ContainsRune("dsqxctvfeg", rune(after[digits])) {
			return "", false
		}
		verbs += after[digits : digits+1]
		format = after[digits+1:]
	}
}

// simple reports whether strconv, the value itself or a method of it yields the same
// text as the verb.
func (s *search) simple(arg ast.Expr, verb byte) bool {
	tv := s.pass.TypesInfo.Types[arg]
	if tv.Value != nil {
		return true
	}
	if tv.Type == nil || hasMethod(tv.Type, "Format") {
		return false
	}
	text := verb == 's' || verb == 'v' || verb == 'q'
	if hasMethod(tv.Type, "Error") || hasMethod(tv.Type, "String") {
		return text
	}
	switch u := tv.Type.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return text
		case info&types.IsBoolean != 0:
			return verb == 't' || verb == 'v'
		case info&types.IsInteger != 0:
			return verb == 'd' || verb == 'v' || verb == 'x' || verb == 'c' || verb == 'q'
		case info&types.IsFloat != 0: // %v and %g choose the exponent by different rules
			return verb == 'f' || verb == 'e' || verb == 'g'
		}
	case *types.Slice:
		basic, ok := u.Elem().Underlying().(*types.Basic)
		return ok && basic.Kind() == types.Byte && verb == 's' // strconv quotes strings alone
	}
	return false
}

// hasMethod reports whether the values of a type, as they are, have a method.
func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}
