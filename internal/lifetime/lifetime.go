// Package lifetime follows arenas, pooled values and their memory: who holds them, and
// when their memory ends.
//
// The stance: where it loses a flow, it says nothing.
package lifetime

import (
	"fmt"
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

	"github.com/heapwright/heapwright/internal/owner"
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
type functions struct {
	Codes    []*Code
	Outlines []Outline
}

// AFact marks functions as a fact.
func (*functions) AFact() {}

func (*functions) String() string { return "functions" }

// A program is the package that is followed, with the functions of others.
type program struct {
	pass      *analysis.Pass
	codes     map[string]*Code
	effects   map[string]effect // filled as they are needed
	arenas    map[string]effect
	touches   map[string]bool // functions that begin or end memory, or call such; false until it is known
	own       []*ssa.Function
	faults    []Fault
	foreign   map[string]Outline
	written   map[string]*storage
	users     map[string][]string // the exported methods that use an arena without a lock, by its place
	freeing   map[string]bool     // see leaves
	survey    *survey
	doubts    []doubt         // faults that depend on other functions
	known     map[string]bool // decides them
	reused    map[string]bool // see isReused
	silent    map[string]bool // see quiet
	extending map[string]int  // see extended
	tooLong   map[string]int  // calls that took too many steps
	// methods are the methods of each type, and closers those that free an arena, by the name
	// of the type.
	methods map[string][]string
	closers map[string]string
}

func run(pass *analysis.Pass) (any, error) {
	p := &program{pass: pass, codes: map[string]*Code{}, effects: builtins(), arenas: arenaEffects(),
		touches: map[string]bool{}, closers: map[string]string{}, silent: map[string]bool{}, extending: map[string]int{}, tooLong: map[string]int{}, known: map[string]bool{}, foreign: map[string]Outline{}, freeing: map[string]bool{}, written: map[string]*storage{}, users: map[string][]string{}}
	if !p.concerned() {
		p.exportOutlines()
		return []Fault(nil), nil
	}
	maps.Copy(p.effects, poolEffects())
	p.build()
	for _, fn := range p.own {
		p.examine(p.codes[nameOf(fn)])
	}
	p.export()
	for _, d := range p.doubts {
		if p.known[d.key] || p.usedByOthers(d) {
			p.faults = append(p.faults, d.fault)
		}
	}
	return p.once(), nil
}

// A doubt is a fault if another function of the package does what its key says.
type doubt struct {
	key   string
	root  string // the function that was followed
	fault Fault
}

// usedByOthers reports whether a method uses an arena without a lock, besides the function
// that starts a goroutine with it.
func (p *program) usedByOthers(d doubt) bool {
	place, ok := strings.CutPrefix(d.key, usedBeside)
	return ok && slices.ContainsFunc(p.users[place], func(name string) bool { return name != d.root })
}

// answers is the key of handlers that return memory of the arena of their context.
const answers = "a handler returns memory of its context's arena"

// once are the faults without those that another function has shown at the same place, or by a use
// that follows the same end.
func (p *program) once() []Fault {
	type place struct {
		kind Kind
		pos  token.Pos
	}
	seen, ends := map[place]bool{}, map[token.Pos]bool{}
	for _, f := range p.faults {
		if n := len(f.Related); n > 0 && f.Kind == Use && !f.stale {
			ends[f.Related[n-1].Pos] = true
		}
	}
	all := []Fault{}
	for _, f := range p.faults {
		if f.stale && len(f.Related) > 0 && ends[f.Related[len(f.Related)-1].Pos] {
			continue
		}
		if at := (place{f.Kind, f.Pos}); !seen[at] {
			seen[at] = true
			all = append(all, f)
		}
	}
	return all
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
			found = found || len(fact.Codes) > 0
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
			for _, o := range f.Fact.(*functions).Outlines {
				p.foreign[o.Name] = o
			}
		}
	}
	return found
}

// exportOutlines exports the outlines of a package without arenas and pools.
func (p *program) exportOutlines() {
	ofArena := strings.HasPrefix(p.pass.Pkg.Path()+"/", ours+"/")
	module := p.pass.Module // none for the standard library, which has a table
	if ofArena || p.standard() || p.pass.Pkg.Name() == "main" || module == nil || module.Path == "" ||
		module.Path == "std" {
		return
	}
	if all := p.outlines(); len(all) > 0 {
		p.pass.ExportPackageFact(&functions{Outlines: all})
	}
}

// standard reports whether the package is one of the standard library.
func (p *program) standard() bool {
	return len(p.pass.Files) == 0 || owner.IsStandard(p.pass)
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
	var surveyed []*Code
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn.Blocks == nil {
			return
		}
		code := translate(fn)
		code.liveness()
		p.codes[code.Name] = code
		surveyed = append(surveyed, code)
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
		surveyed = append(surveyed, translate(init))
	}
	p.survey = p.surveys(surveyed)
	p.implemented()
	p.survey.takes = p.takes()
	p.survey.lends = p.survey.takes && p.lends()
	p.survey.late = p.readLate(surveyed)
	if p.survey.decodes {
		p.decodedRequests()
	}
	p.unfreedFields(surveyed)
	p.staleFields(surveyed)
	p.putByUsers(surveyed)
	p.closedTwice(surveyed)
	p.partlyFilled(surveyed)
	p.deletedKeys(surveyed)
	p.leftOut(surveyed)
	p.pools(surveyed)
}

// methodHandler is the field for the function that decodes a request and calls a method.
const methodHandler = "google.golang.org/grpc.MethodDesc.Handler"

// decodedRequests notes the methods that handlers written by hand call, whose request lies
// in an arena that ends with the call. Package requests follows generated ones.
func (p *program) decodedRequests() {
	for _, handler := range p.survey.functions[methodHandler] {
		if p.codes[handler] == nil {
			continue
		}
		for name := range p.codes[handler].mentions() {
			c := p.codes[name]
			if c == nil || c.src == nil || c.src.Signature.Recv() == nil || c.src.Signature.Params().Len() != 2 {
				continue
			}
			request := c.src.Signature.Params().At(1).Type()
			if m, _, _ := types.LookupFieldOrMethod(request, true, nil, "ProtoReflect"); m != nil {
				p.survey.requests[name] = 1
			}
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
		if m := contractOf(name); m != 0 {
			f = behave(m)
		} else if o, ok := p.foreign[name]; ok {
			f = outlined(o)
		}
	}
	p.effects[name] = f
	return f
}

var arenaPackages = []string{ours + "/arenapb.", ours + "/arenajson.", ours + "/arenagrpc.", ours + "/arenahttp.",
	ours + "/arenapb/otlphttp.", ours + ".", goArena + "."}

// arenaName returns the name of a function of the arena packages without the path.
func arenaName(name string) (string, bool) {
	for _, path := range arenaPackages {
		if i := strings.Index(name, path); i >= 0 && strings.Trim(name[:i], "(*") == "" {
			return name[:i] + name[i+len(path):], true
		}
	}
	return "", false
}

// parameters are the arguments of the function that is followed.
func (e *engine) parameters(s *state, code *Code) []value {
	var args []value
	for i, param := range code.Params {
		o := e.object(parameterKey(i, param))
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
	if _, ok := e.program.survey.requests[code.Name]; ok {
		e.decoded(s, code, args)
	}
	return args
}

// decoded lets the last parameter of a handler be a message in an arena, which ends
// when the handler returns.
func (e *engine) decoded(s *state, code *Code, args []value) {
	i := len(code.Params) - code.Free - 1
	if i < 0 || len(args[i].refs) != 1 {
		return
	}
	arena, message := e.object("the arena of the request"), e.objects[args[i].refs[0].obj]
	arena.kind, arena.name = anArena, "of the request "+message.name
	s.objs[arena.id] = status{}
	message.typ, message.outside = decodedMark, false
	s.objs[message.id] = status{arena: arena.id}
	e.request = to(ref{arena.id, ""})
}

func parameterKey(i int, p Param) string { return fmt.Sprint("parameter ", i, " ", p.Name) }

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
		if c == nil || c.src == nil || all[name] != nil {
			return
		}
		if len(c.Blocks) > 200 {
			all[name] = &Code{Name: c.Name, Params: c.Params, Free: c.Free, Regs: c.Regs, Exposes: c.Exposes,
				Long: true, Frees: p.frees(c, map[string]bool{})}
			return
		}
		all[name] = c
		for _, k := range c.Consts {
			if k.Kind == Function {
				add(k.Name)
			}
		}
		for _, in := range c.instrs() {
			if in.Op == Call || in.Op == Go || in.Op == Defer || in.Op == Closure {
				add(in.Name)
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
