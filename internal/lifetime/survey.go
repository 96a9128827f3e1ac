package lifetime

import (
	"slices"
	"strings"
)

// A survey is what the functions of a package say about its variables and fields
// wherever they are.
type survey struct {
	// functions are the functions that a variable, a field or their elements may
	// hold, by the variable or by the type and the path.
	functions map[string][]string
	// constructed are the fields that a constructor gives a new arena.
	constructed map[string]bool
	// implementations are the types that the package converts to its own interfaces.
	implementations map[string][]string
	values          map[string]bool   // functions that are used as values
	constants       map[string]string // numbers that a package-level variable has for good
	frees           map[string]bool   // fields whose arenas the package frees, and the fields that hold these
	requests        map[string]int    // functions whose parameter is decoded into an arena for each call
	decodes         bool              // requests of gRPC are decoded into arenas
	freeOnReceive   bool              // a stream frees a message when it receives the next one
	takes           bool              // the package puts no arena into a context
	lends           bool              // arenas come by the contexts of requests, and from nowhere else
	changes         changes
	// lodgings are the fields that lie in an arena of their struct, by their places, and
	// lodgers are the same by the type of the struct.
	lodgings map[string]*lodging
	lodgers  map[string][]*lodging
	renewed  map[string]bool // fields that get another value than their constructors gave them
	cleared  map[string]bool // variables and fields that are set to nil or to an empty struct
	late     map[string]bool // see readLate
	// stores are the places in which functions store their parameters.
	stores map[parameter][]string
}

// survey looks at the functions of the package, and at the initialization of its
// variables.
func (p *program) surveys(codes []*Code) *survey {
	sv := &survey{
		functions: map[string][]string{}, values: map[string]bool{}, constants: map[string]string{}, requests: map[string]int{},
	}
	sv.constructed, sv.stores = map[string]bool{}, map[parameter][]string{}
	sv.frees, sv.implementations = map[string]bool{}, map[string][]string{}
	sv.changes = changes{program: p, places: map[string][]string{}, types: map[string][]string{}}
	sv.lodgings, sv.lodgers, sv.renewed = map[string]*lodging{}, map[string][]*lodging{}, map[string]bool{}
	sv.cleared = map[string]bool{}
	assigned := map[string]int{}
	for _, c := range codes {
		for _, in := range c.instrs() {
			for _, x := range in.X {
				if x < 0 && c.Consts[^x].Kind == Function {
					sv.values[c.Consts[^x].Name] = true
				}
			}
			sv.changes.note(c, in)
			sv.lodges(c, in)
			switch in.Op {
			case Closure:
				sv.values[in.Name] = true
			case Wrap:
				p.converted(sv, c, in)
			case Store:
				sv.stored(c, in, assigned)
			case Update:
				sv.updated(c, in)
			case Call, Defer:
				sv.called(c, in)
				sv.freed(c, in)
			}
		}
	}
	for _, c := range codes {
		for _, in := range c.instrs() {
			sv.passed(c, in)
		}
	}
	for place, n := range assigned {
		if n > 1 {
			delete(sv.constants, place)
		}
	}
	return sv
}

// converted notes the conversion of a type to an interface of the package, outside of
// tests.
func (p *program) converted(sv *survey, c *Code, in *Instr) {
	if in.Type == "" || !strings.HasPrefix(in.Name, p.pass.Pkg.Path()+".") || slices.Contains(sv.implementations[in.Name], in.Type) ||
		strings.HasSuffix(p.pass.Fset.Position(c.src.Pos()).Filename, "_test.go") {
		return
	}
	sv.implementations[in.Name] = append(sv.implementations[in.Name], in.Type)
}

// stored notes a store into a variable or a field.
func (sv *survey) stored(c *Code, in *Instr, assigned map[string]int) {
	place := c.placeOf(in.X[0])
	if place == "" {
		return
	}
	sv.assigned(c, place, in.X[1], assigned)
	for path, x := range c.literal(in.X[1]) {
		sv.assigned(c, place+path, x, assigned)
	}
}

// updated notes the functions that a map gets which lies in a variable or a field, or is stored
// there later.
func (sv *survey) updated(c *Code, in *Instr) {
	all := c.functionsIn(in.X[2])
	if len(all) == 0 {
		return
	}
	if load := c.definition(in.X[0]); load != nil && load.Op == Load {
		if place := c.placeOf(load.X[0]); place != "" {
			sv.functions[place+elements] = append(sv.functions[place+elements], all...)
		}
	}
	for _, use := range c.uses(in.X[0]) {
		if use.Op == Store && use.X[1] == in.X[0] {
			if place := c.placeOf(use.X[0]); place != "" {
				sv.functions[place+elements] = append(sv.functions[place+elements], all...)
			}
		}
	}
}

// assigned notes a value that a variable or a field gets.
func (sv *survey) assigned(c *Code, place string, x Operand, assigned map[string]int) {
	assigned[place]++
	if x < 0 && c.Consts[^x].Kind == Nil {
		sv.cleared[place] = true
	}
	if place == ours+"/arenagrpc.ServerOptions.FreeOnReceive" && x < 0 && c.Consts[^x].Kind == True {
		sv.freeOnReceive = true
	}
	if x < 0 && c.Consts[^x].Kind == Number {
		sv.constants[place] = c.Consts[^x].Name
	}
	if x >= 0 && int(x) < len(c.Params)-c.Free {
		p := parameter{c.Name, int(x)}
		sv.stores[p] = append(sv.stores[p], place)
	}
	sv.holds(c, place, x)
}

// holds notes the functions that a variable or a field may hold.
func (sv *survey) holds(c *Code, place string, x Operand) {
	for _, f := range c.functionsIn(x) {
		sv.functions[place] = append(sv.functions[place], f)
		sv.functions[place+elements] = append(sv.functions[place+elements], f)
	}
}

// passed notes the functions that a call passes to a function that stores its parameters.
func (sv *survey) passed(c *Code, in *Instr) {
	if in.Op != Call || in.Flag || len(in.X) == 0 {
		return
	}
	for i, x := range in.X[1:] {
		for _, place := range sv.stores[parameter{in.Name, i}] {
			sv.holds(c, place, x)
		}
	}
}

// A parameter is one of a function of the package.
type parameter struct {
	function string
	index    int
}

// called notes what a call of the arena packages says about others.
func (sv *survey) called(c *Code, in *Instr) {
	short, ok := arenaName(in.Name)
	if !ok {
		return
	}
	switch {
	case strings.Contains(in.Name, "arenagrpc.") && strings.HasSuffix(short, "DecodeRequests"):
		sv.decodes = true
	case strings.Contains(in.Name, "/otlphttp.") && short == "NewHandler":
		for _, f := range c.functionsIn(in.X[1]) {
			sv.requests[f] = 1
		}
	}
}

// placeOf names the variable or the field at an address: "global p.options.Text", or
// "p.logger.hook".
func (c *Code) placeOf(at Operand) string {
	path := ""
	for {
		if at < 0 {
			if k := c.Consts[^at]; k.Kind == Global {
				return "global " + k.Name + path
			}
			return ""
		}
		def := c.definition(at)
		if def == nil || def.Op != Field {
			return ""
		}
		path = def.Name + path
		if base := c.definition(def.X[0]); def.X[0] >= 0 && (base == nil || base.Op != Field) {
			if def.Type == "" {
				return ""
			}
			return def.Type + path
		}
		at = def.X[0]
	}
}

// held are the functions that were seen in the place from which a value was read.
func (e *engine) heldFunctions(o *object) []string {
	if e.program.survey == nil {
		return nil
	}
	path := ""
	for o.of != nil {
		path = o.of.path + path
		o = e.objects[o.of.obj]
		place := o.key + path
		if !strings.HasPrefix(o.key, "global ") {
			place = o.typ + path
		}
		for _, at := range []string{place, o.typ + path} {
			if fs := e.program.survey.functions[at]; fs != nil {
				return fs
			}
		}
	}
	return nil
}

// captured is memory of which a function that was stored somewhere refers to.
func (e *engine) captured(s *state, code *Code, i int) value {
	o := e.object("captured by " + code.Name + " " + code.Params[i].Name)
	o.outside, o.name = true, code.Params[i].Name
	if _, ok := s.objs[o.id]; !ok {
		s.objs[o.id] = status{}
	}
	return to(ref{o.id, ""})
}
