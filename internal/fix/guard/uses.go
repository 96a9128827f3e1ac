package guard

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// refused maps the objects of the standard library that a proposal must not use more often
// to the rule. A package with a dot and a star stands for all of its functions and
// variables.
var refused = map[string]string{
	"runtime.GC": "gc", "runtime.GOMAXPROCS": "gc", "runtime.MemProfileRate": "gc", "runtime.SetFinalizer": "gc",
	"runtime.SetBlockProfileRate": "gc", "runtime.SetMutexProfileFraction": "gc", "runtime.SetCPUProfileRate": "gc",
	"runtime/debug.*": "gc",

	"testing.*": "benchmark", "flag.*": "benchmark", "runtime/pprof.*": "benchmark", "runtime/trace.*": "benchmark",
	"runtime.Caller": "benchmark", "runtime.Callers": "benchmark", "runtime.CallersFrames": "benchmark",
	"runtime.FuncForPC": "benchmark", "runtime.Stack": "benchmark", "runtime.ReadMemStats": "benchmark",
	"runtime.NumGoroutine": "benchmark", "runtime.MemProfile": "benchmark", "runtime/metrics.*": "benchmark",
	"runtime/debug.Stack": "benchmark", "runtime/debug.PrintStack": "benchmark",
	"runtime/debug.ReadBuildInfo": "benchmark",
	"os.Args":                     "benchmark", "os.Executable": "benchmark", "os.Getenv": "benchmark",
	"os.LookupEnv": "benchmark",
	"os.Environ":   "benchmark", "os.ExpandEnv": "benchmark", "os.Getpid": "benchmark", "os.Getppid": "benchmark",

	"os.*": "system", "io/ioutil.*": "system", "os/exec.*": "import", "net.*": "import", "net/http.*": "import",
	"syscall.*": "import", "plugin.*": "import", "unsafe.*": "unsafe",
	"path/filepath.Walk": "system", "path/filepath.WalkDir": "system", "path/filepath.Glob": "system",
	"path/filepath.EvalSymlinks": "system",
}

// actors are types whose values act without a function of their package.
var actors = []string{"os.Process", "http.Client", "http.Transport", "http.Server"}

// inoffensive are functions and variables of the packages above that only answer.
var inoffensive = []string{
	"os.Stdout", "os.Stderr", "http.StatusText", "http.CanonicalHeaderKey", "http.DetectContentType",
	"ioutil.Discard", "ioutil.NopCloser", "ioutil.ReadAll",
}

// harmless are exceptions from the stars above.
func harmless(o types.Object) bool {
	name := o.Pkg().Name() + "." + o.Name()
	switch o.(type) {
	case *types.Const:
		return true
	case *types.TypeName:
		all := oneOf(o.Pkg().Path(), []string{"unsafe", "os/exec", "net", "syscall", "plugin"})
		return !all && !slices.Contains(actors, name)
	}
	asks := strings.HasPrefix(o.Name(), "Err") || strings.HasPrefix(name, "os.Is")
	return asks || slices.Contains(inoffensive, name)
}

// ruleFor returns the rule against an object, "" if there is none.
func ruleFor(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	path := o.Pkg().Path()
	if o.Parent() != o.Pkg().Scope() && path != "unsafe" {
		return "" // a method or a field: whoever has the value got it from a function
	}
	if rule := refused[path+"."+o.Name()]; rule != "" {
		return rule
	}
	if rule := refused[path+".*"]; rule != "" && !harmless(o) {
		return rule
	}
	return ""
}

// judgeUses refuses forbidden objects that the package uses more often than before.
func (p *proposal) judgeUses(before, after *packages.Package) {
	known := map[string]int{}
	for _, o := range before.TypesInfo.Uses {
		if ruleFor(o) != "" {
			known[o.Pkg().Path()+"."+o.Name()]++
		}
	}
	var names []*ast.Ident
	for name, o := range after.TypesInfo.Uses {
		if ruleFor(o) != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	for _, name := range names {
		o := after.TypesInfo.Uses[name]
		full := o.Pkg().Path() + "." + o.Name()
		if known[full]--; known[full] < 0 {
			p.refuse(ruleFor(o), p.where(after, name), "it uses "+full)
		}
	}
}
