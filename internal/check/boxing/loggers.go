package boxing

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// loggers box their arguments even if the level is off. Each entry begins with the
// function's full name without its last part.
var loggers = []struct {
	of     string
	names  string // of the functions, with blanks around each
	remedy string
}{
	{"log/slog.", slogNames, slogTyped},
	{"(*log/slog.Logger).", slogNames, slogTyped},
	{"(*go.uber.org/zap.SugaredLogger).", " Debugw Infow Warnw Errorw Debugf Infof Warnf Errorf Debug Info Warn Error Debugln Infoln Warnln Errorln ", zapTyped},
	{"(k8s.io/klog/v2.Verbose).", " Info Infof Infoln InfoS InfoSDepth ", enabled},
	{"(github.com/go-logr/logr.Logger).", " Info ", enabled},
	{"(*github.com/sirupsen/logrus.Logger).", logrusNames, level},
	{"(*github.com/sirupsen/logrus.Entry).", logrusNames, level},
	{"github.com/sirupsen/logrus.", logrusNames, level},
}

const (
	slogNames   = " Debug DebugContext Info InfoContext Warn WarnContext Error ErrorContext Log "
	logrusNames = " Trace Tracef Traceln Debug Debugf Debugln "

	slogTyped = "LogAttrs takes slog.Int and slog.String as they are"
	zapTyped  = "a zap.Logger takes zap.Int and zap.String as they are"
	enabled   = "ask Enabled before the call"
	level     = "ask IsLevelEnabled before the call"
)

// logged returns the call of a logger: its boxed arguments for which the remedy works.
func (s *search) logged(call *ast.CallExpr, fn *types.Func) (boxer, bool) {
	for _, l := range loggers {
		if fn.FullName() != l.of+fn.Name() || !strings.Contains(l.names, " "+fn.Name()+" ") {
			continue
		}
		b := boxer{remedy: l.remedy}
		if strings.HasPrefix(l.of, "(github.com/go-logr") && !s.verbose(call) {
			return b, true // level 0, which is always on
		}
		for _, arg := range s.variadic(call, fn) {
			if l.remedy == slogTyped || l.remedy == zapTyped {
				if !field(s.pass.TypesInfo.TypeOf(arg)) {
					continue
				}
			}
			b.boxed = append(b.boxed, arg)
		}
		return b, true
	}
	return boxer{}, false
}

// verbose reports whether a logger's method is called as in log.V(4).Info.
func (s *search) verbose(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	return ok && rewrite.Callee(s.pass.TypesInfo, v) == "(github.com/go-logr/logr.Logger).V"
}

// field reports whether loggers with typed fields have one for a type that boxes
// nothing.
func field(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Basic); ok {
		return true
	}
	switch types.TypeString(t, nil) {
	case "time.Time", "log/slog.Attr":
		return true
	}
	return false
}
