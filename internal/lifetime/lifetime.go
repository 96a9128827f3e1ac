// Package lifetime follows arenas, pooled values and their memory: who holds them, and
// when their memory ends.
//
// The stance: where it loses a flow, it says nothing.
package lifetime

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ssa"
)

// Analyzer finds the faults of a package: its result is a []Fault. It does nothing
// in packages that know neither arenas nor pools.
var Analyzer = &analysis.Analyzer{
	Name:       "lifetime",
	Doc:        "follow arenas, pooled values and their memory",
	Requires:   []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer},
	ResultType: reflect.TypeFor[[]Fault](),
	FactTypes:  []analysis.Fact{new(functions)},
	Run:        run,
}

// Report reports the faults of one kind.
func Report(pass *analysis.Pass, kind Kind) {
	for _, f := range pass.ResultOf[Analyzer].([]Fault) {
		if f.Kind == kind {
			pass.Report(analysis.Diagnostic{Pos: f.Pos, Message: f.Message, Related: f.Related})
		}
	}
}

// functions are the functions of a package that others may call with memory of an
// arena or a pool, and those that they call.
type functions struct{ Codes []*Code }

// AFact marks functions as a fact.
func (*functions) AFact() {}

func (*functions) String() string { return "functions" }

// A program is the package that is followed, with the functions of others.
type program struct {
	pass    *analysis.Pass
	codes   map[string]*Code
	effects map[string]effect // filled as they are needed
	arenas  map[string]effect
	touches map[string]bool // functions that begin or end memory, or call such; false until it is known
	own     []*ssa.Function
	faults  []Fault
	reused  map[string]bool // see isReused
	silent  map[string]bool // see quiet
	tooLong map[string]int  // calls that took too many steps
}

func run(pass *analysis.Pass) (any, error) {
	p := &program{pass: pass, codes: map[string]*Code{}, effects: builtins(), arenas: arenaEffects(), touches: map[string]bool{}, silent: map[string]bool{}, tooLong: map[string]int{}}
	if !p.concerned() {
		return []Fault(nil), nil
	}
	maps.Copy(p.effects, poolEffects())
	p.build()
	for _, fn := range p.own {
		p.examine(p.codes[nameOf(fn)])
	}
	p.export()
	return append([]Fault{}, p.faults...), nil
}

// concerned reports whether a package can have an arena or a pooled value.
func (p *program) concerned() bool {
	pkg := p.pass.Pkg
	ofArena := strings.HasPrefix(pkg.Path()+"/", ours+"/") && !strings.HasSuffix(pkg.Name(), "_test")
	if ofArena || p.standard() {
		return false
	}
	found := false
	for _, imported := range pkg.Imports() {
		fact := new(functions)
		if p.pass.ImportPackageFact(imported, fact) {
			found = true
		}
		if path := imported.Path(); path == goArena || path == ours || strings.HasPrefix(path, ours+"/") {
			found = true
		}
		if imported.Path() == "sync" {
			for _, obj := range p.pass.TypesInfo.Uses {
				if t, ok := obj.(*types.TypeName); ok && t.Pkg() == imported && t.Name() == "Pool" {
					found = true
					break
				}
			}
		}
	}
	if found {
		for _, f := range p.pass.AllPackageFacts() {
			for _, c := range f.Fact.(*functions).Codes {
				p.codes[c.Name] = c
			}
		}
	}
	return found
}

// standard reports whether the package is one of the standard library.
func (p *program) standard() bool {
	if len(p.pass.Files) == 0 {
		return true
	}
	name := p.pass.Fset.File(p.pass.Files[0].FileStart).Name()
	return strings.HasPrefix(name, "$GOROOT/") || strings.HasPrefix(name, goroot+"/src/") && goroot != ""
}

// build translates the package's functions.
func (p *program) build() {
	prog := ssa.NewProgram(p.pass.Fset, ssa.GlobalDebug)
	prog.SetNoReturn(p.pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs).NoReturn)
	for _, imported := range p.pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	pkg := prog.CreatePackage(p.pass.Pkg, p.pass.Files, p.pass.TypesInfo, false)
	pkg.Build()
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn.Blocks == nil {
			return
		}
		code := translate(fn)
		code.liveness()
		p.codes[code.Name] = code
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
	}
	for _, file := range p.pass.Files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok {
				if obj, ok := p.pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					if fn := prog.FuncValue(obj); fn != nil && fn.Blocks != nil {
						add(fn)
						p.own = append(p.own, fn)
					}
				}
			}
		}
	}
	if init := pkg.Func("init"); init != nil {
		for _, anon := range init.AnonFuncs {
			add(anon)
			p.own = append(p.own, anon)
		}
	}
}

func (p *program) code(name string) *Code {
	c := p.codes[name]
	if c != nil && c.live == nil {
		c.liveness()
	}
	return c
}

// effect is what a function of a library does, nil if that is not known.
func (p *program) effect(name string) effect {
	if f, ok := p.effects[name]; ok {
		return f
	}
	var f effect
	if short, ok := arenaName(name); ok {
		f = p.arenas[short]
		if f == nil {
			f = behave(reads)
		}
	}
	if f == nil && p.codes[name] == nil {
		if m := mannerOf(name); m != 0 {
			f = behave(m)
		}
	}
	p.effects[name] = f
	return f
}

var arenaPackages = []string{ours + "/arenapb.", ours + "/arenajson.", ours + "/arenagrpc.", ours + "/arenahttp.", ours + ".", goArena + "."}

// arenaName returns the name of a function of the arena packages without the path.
func arenaName(name string) (string, bool) {
	for _, path := range arenaPackages {
		if i := strings.Index(name, path); i >= 0 && strings.Trim(name[:i], "(*") == "" {
			return name[:i] + name[i+len(path):], true
		}
	}
	return "", false
}

// follow follows a function, and the functions in it that it does not call.
func (p *program) follow(code *Code) (faults []Fault) {
	e := newEngine(p, code)
	func() {
		defer func() {
			if r := recover(); r != nil {
				if _, much := r.(tooMuch); !much {
					panic(r)
				}
				e.candidates = map[string]*candidate{}
			}
		}()
		s := newState()
		e.push(s, code, e.parameters(s, code))
		for _, x := range e.run(s) {
			e.finish(x)
		}
	}()
	faults = e.faults()
	code.Exposes = e.exposes
	for _, anon := range code.src.AnonFuncs {
		if c := p.codes[nameOf(anon)]; c != nil && !e.entered[c] && p.touches[c.Name] {
			faults = append(faults, p.follow(c)...)
		}
	}
	return faults
}

// parameters are the arguments of the function that is followed.
func (e *engine) parameters(s *state, code *Code) []value {
	var args []value
	for i, param := range code.Params {
		o := e.object("parameter " + param.Name + string(rune('a'+i)))
		o.outside, o.name, o.typ = true, param.Name, strings.TrimPrefix(param.Type, "*")
		switch param.Class {
		case Scalar:
			args = append(args, value{sym: e.sym("parameter " + o.key)})
			continue
		case Arena:
			o.kind = anArena
		case Whole:
			o.kind = copied
		}
		s.objs[o.id] = status{}
		args = append(args, to(ref{o.id, ""}))
	}
	return args
}

// export exports the functions that other packages may call.
func (p *program) export() {
	if p.pass.Pkg.Name() == "main" {
		return
	}
	arenas := false
	for _, imported := range p.pass.Pkg.Imports() {
		arenas = arenas || imported.Path() == goArena || strings.HasPrefix(imported.Path(), ours)
	}
	all := map[string]*Code{}
	var add func(name string)
	add = func(name string) {
		c := p.codes[name]
		if c == nil || c.src == nil || all[name] != nil || len(c.Blocks) > 200 {
			return
		}
		all[name] = c
		for _, k := range c.Consts {
			if k.Kind == Function {
				add(k.Name)
			}
		}
		for b := range c.Blocks {
			for i := range c.Blocks[b].Instrs {
				if in := &c.Blocks[b].Instrs[i]; in.Op == Call || in.Op == Go || in.Op == Defer || in.Op == Closure {
					add(in.Name)
				}
			}
		}
	}
	pooled := map[string]bool{} // types with a method that begins or ends memory
	for _, fn := range p.own {
		if c := p.codes[nameOf(fn)]; fn.Signature.Recv() != nil && c.Exposes {
			pooled[c.Params[0].Type] = true
		}
	}
	for _, fn := range p.own {
		obj, ok := fn.Object().(*types.Func)
		if c := p.codes[nameOf(fn)]; ok && obj.Exported() && (arenas || c.Exposes ||
			fn.Signature.Recv() != nil && pooled[c.Params[0].Type]) {
			add(c.Name)
		}
	}
	if len(all) > 0 {
		fact := new(functions)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			fact.Codes = append(fact.Codes, all[name])
		}
		p.pass.ExportPackageFact(fact)
	}
}

func (p *program) line(pos token.Pos) string {
	at := p.pass.Fset.Position(pos)
	return at.Filename + ":" + string(rune(at.Line))
}

func (p *program) lineOf(at point) int { return p.pass.Fset.Position(position(at)).Line }

// closer returns the method of a type that frees an arena of its receiver, "" if none
// does.
func (p *program) closer(t types.Type) string {
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	name := strings.TrimPrefix(typeName(t), "*")
	if name == "" {
		return ""
	}
	for _, full := range slices.Sorted(maps.Keys(p.codes)) {
		for _, recv := range []string{"(*" + name + ").", "(" + name + ")."} {
			method, ok := strings.CutPrefix(full, recv)
			if ok && !strings.Contains(method, "$") && p.frees(p.codes[full], map[string]bool{}) {
				return method
			}
		}
	}
	return ""
}

// frees reports whether a function or what it calls frees an arena.
func (p *program) frees(c *Code, seen map[string]bool) bool {
	if c == nil || seen[c.Name] {
		return false
	}
	seen[c.Name] = true
	for b := range c.Blocks {
		for i := range c.Blocks[b].Instrs {
			in := &c.Blocks[b].Instrs[i]
			if in.Op != Call && in.Op != Defer && in.Op != Closure {
				continue
			}
			if strings.HasSuffix(in.Name, "arena.Arena).Free") || p.frees(p.codes[in.Name], seen) {
				return true
			}
		}
	}
	return false
}
