package leak

import (
	"cmp"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/release"
)

// library explains goroutines without a line of the program on their stacks.
func (s *search) library(p *evidence.WaitingPlace) (Leak, bool) {
	l := Leak{Places: []*evidence.WaitingPlace{p}, Path: p.Path, Confidence: confidence(p)}
	switch {
	case len(p.Path) == 0 || serves(p.Path) && p.Leaked == 0:
		return l, false // a connection that a client keeps open
	case ofClient(p.Function):
		return l, s.client(p, &l)
	case strings.HasPrefix(p.Function, "os/exec.(*Cmd)."):
		if !s.byHeap(p, &l) {
			return l, false
		}
		l.Title = goroutines(p) + " copy the output of commands"
		l.Remedy, l.Example = "The command does not end, or "+pipesStay, pipesExample
		return l, true
	}
	if i := slices.IndexFunc(p.Creators, s.Owns); i >= 0 { // the program itself has the go statement
		l.At = p.Creators[i]
		l.Title = fmt.Sprintf("%s of %s are started here and do not end", goroutines(p), profile.ShortName(p.Function))
		l.Remedy = "Give the function that the go statement starts an end: close what it reads, or cancel its context."
		l.Example = "ctx, cancel := context.WithCancel(ctx)\ndefer cancel()\ngo lib.Run(ctx)"
		return l, true
	}
	made := s.starters(p)
	if len(made) == 0 {
		return l, s.byLiteral(p, &l) || s.byHeap(p, &l)
	}
	m := made[0]
	if m.Start && len(m.Missed) == 0 && s.byHeap(p, &l) && l.At.File != "" {
		return l, true // it is run once, and cannot start so many
	}
	s.lead(&l, m)
	others := ""
	if more := made[1:]; len(more) > 0 {
		var lines []string
		for _, o := range more {
			if rank(o) == rank(m) {
				lines = append(lines, at(o.Place))
			}
		}
		if len(lines) > 0 {
			others = " Other lines that start such goroutines: " + several(lines) + "."
		}
	}
	l.Title = fmt.Sprintf("%s starts goroutines that do not end, %s of %s", m.Text, format.Count(p.Now()),
		profile.ShortName(p.Function))
	shown := len(m.Missed) > 0 || m.Dropped && len(m.Methods) > 0
	if !shown && (m.Start || len(made) > 1) {
		l.Confidence = lower(l.Confidence, evidence.Medium)
	}
	l.Remedy, l.Example = endOf(m)
	l.Remedy += others
	return l, true
}

// lead points a leak to a call of the program.
func (s *search) lead(l *Leak, m release.Made) {
	l.At = s.known(frame(m.Place))
	if i := slices.IndexFunc(s.Sites, func(site evidence.Site) bool { return s.passes(&site, m.Place) }); i >= 0 {
		l.Path = s.Sites[i].Path
	}
	if len(m.Missed) > 0 {
		change := frame(m.Missed[0].Exit)
		l.Change = &change
	}
}

// known returns a frame as profiles name it, where they have it.
func (s *search) known(f evidence.Frame) evidence.Frame {
	k := s.key(f)
	for i := range s.Sites {
		for _, o := range append([]evidence.Frame{s.Sites[i].Frame}, s.Sites[i].Path...) {
			if o.Line == f.Line && s.key(o) == k {
				return o
			}
		}
	}
	return f
}

func (s *search) passes(site *evidence.Site, at release.Place) bool {
	k := key{at.File, at.Line}
	return slices.ContainsFunc(append([]evidence.Frame{site.Frame}, site.Path...),
		func(f evidence.Frame) bool { return f.Line == at.Line && s.key(f) == k })
}

// endOf says how what a call has started is ended.
func endOf(m release.Made) (remedy, example string) {
	call := m.Text
	if len(m.Methods) == 0 {
		return fmt.Sprintf("Each call of %s starts goroutines that nothing ends. Call it once for the whole "+
				"program and share what it returns, or give it a context that ends, if it takes one.", call),
			"var shared = sync.OnceValue(open) // made once, used by all"
	}
	end := strings.Join(m.Methods[:min(len(m.Methods), 2)], " or ")
	if slices.Contains(m.Methods, "Rollback") && len(m.Missed) > 0 {
		return fmt.Sprintf("%s without %s of what %s returned at %s: the transaction, its goroutine and its "+
				"connection stay. defer tx.Rollback() right after it began; after Commit that does nothing.",
				exits(m.Missed), end, call, at(m.Place)),
			"tx, err := db.BeginTx(ctx, nil)\nif err != nil {\n\treturn err\n}\ndefer tx.Rollback()"
	}
	if m.Of != "" {
		end = m.Of + "." + m.Methods[0] + "()"
		example = call + "()\ndefer " + end
		if len(m.Missed) > 0 {
			return fmt.Sprintf("%s without %s after %s at %s, so its goroutines never end. defer %s, or start "+
				"it once for the whole program.", exits(m.Missed), end, call, at(m.Place), end), example
		}
		return fmt.Sprintf("Each call of %s at %s starts goroutines that end only with %s. Call that when it "+
			"is no longer used, or start it once for the whole program.", call, at(m.Place), end), example
	}
	example = fmt.Sprintf("x, err := %s(…)\nif err != nil {\n\treturn err\n}\ndefer x.%s()",
		call[strings.LastIndexByte(call, '.')+1:], m.Methods[0])
	switch {
	case len(m.Missed) > 0:
		return fmt.Sprintf("%s without %s of what %s returned at %s, so its goroutines never end. Call it "+
			"with defer, or make one and share it instead of one for each call.",
			exits(m.Missed), end, call, at(m.Place)), example
	case m.Dropped:
		return fmt.Sprintf("What %s returns at %s is dropped, so nobody can call its %s, and its goroutines "+
			"never end. Keep it and call %[3]s, or make one for the whole program.", call, at(m.Place), end), example
	}
	return fmt.Sprintf("What %s returns at %s is kept or handed on, and its goroutines end only with %s: call it where the value is let go, or make one and share it instead of one for each call.", call, at(m.Place), end), example
}

// starters returns the calls of the program that start a library's goroutines, the
// most likely first. The nearest function to the go statement that the program calls
// counts; where none is known, functions of the same module that return something with an end.
func (s *search) starters(p *evidence.WaitingPlace) []release.Made {
	pkg := profile.PackageOf(p.Function)
	var levels [][]string
	for _, c := range p.Creators {
		levels = append(levels, release.Starters(s.source.Folder(c.Function, c.File), c.Function+".func1")...)
	}
	root := p.Path[len(p.Path)-1]
	levels = append(levels, release.Starters(s.source.Folder(root.Function, root.File), root.Function)...)
	var nearest []release.Made
	for _, names := range levels {
		made := s.source.MadeBy(func(fn *types.Func) bool {
			return fn.Pkg() != nil && fn.Pkg().Path() == pkg && slices.Contains(names, fn.Name())
		}, true)
		// Methods of any type may have the names. A method's goroutine belongs to what its
		// constructor returns: a Decoder's is none of NewWriter's.
		if own := slices.DeleteFunc(slices.Clone(made),
			func(m release.Made) bool { return typeName(m.Type) != receiverOf(root.Function) }); len(own) > 0 {
			return s.order(own)
		}
		if nearest == nil {
			nearest = made
		}
	}
	if len(nearest) > 0 {
		return s.order(nearest)
	}
	if owner.OfStandard(pkg) {
		return nil
	}
	module := s.moduleOf(p, pkg)
	return s.order(s.source.MadeBy(func(fn *types.Func) bool {
		return fn.Pkg() != nil && (fn.Pkg().Path() == module || strings.HasPrefix(fn.Pkg().Path(), module+"/"))
	}, false))
}

// receiverOf returns the name of the type whose method a function is, as profiles name
// it; "" for other functions.
func receiverOf(function string) string {
	if m := receivers.FindStringSubmatch(function); m != nil {
		return m[1]
	}
	return ""
}

var receivers = regexp.MustCompile(`\.\(\*(\w+)(?:\[[^\]]*\])?\)\.`)

// typeName returns a type's name without its package and type arguments.
func typeName(of string) string {
	name, _, _ := strings.Cut(of, "[")
	return name[strings.LastIndexAny(name, "./*")+1:]
}

func (s *search) moduleOf(p *evidence.WaitingPlace, pkg string) string {
	m, _, _ := s.Source.Dependency(p.Function, p.File)
	return cmp.Or(m.Path, pkg)
}

func rank(m release.Made) int {
	switch {
	case len(m.Missed) > 0 || m.Dropped:
		return 0
	case m.Start:
		return 2
	}
	return 1
}

// order puts first the calls whose value is shown not to be released, then those that
// the profiles show, then those that are not of the start.
func (s *search) order(made []release.Made) []release.Made {
	slices.SortStableFunc(made, func(a, b release.Made) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)),
			cmp.Compare(s.weights[key{b.File, b.Line}], s.weights[key{a.File, a.Line}]))
	})
	return made
}

// byLiteral leads to where the program makes a value of the type whose method the goroutines
// run. A library may start them at the first use, which can be anywhere.
func (s *search) byLiteral(p *evidence.WaitingPlace, l *Leak) bool {
	root := p.Path[len(p.Path)-1].Function
	of := receiverOf(root)
	if of == "" {
		return false
	}
	of = profile.PackageOf(root) + "." + of
	made := slices.DeleteFunc(s.source.Literals(of), func(m release.Made) bool { return m.OfTest() })
	if len(made) == 0 {
		return false
	}
	of = of[strings.LastIndexByte(of, '/')+1:]
	l.At = s.known(frame(made[0].Place))
	l.Title = fmt.Sprintf("%s of %s do not end, of values of %s that are made here", goroutines(p), profile.ShortName(p.Function), of)
	l.Remedy = fmt.Sprintf("A %s starts goroutines when it is used, and nothing ends them. Close it, if that ends them. "+
		"Otherwise make one and share it, or keep one for each key and use it again, instead of one for each call.", of)
	if len(made) > 1 {
		var lines []string
		for _, o := range made[1:] {
			lines = append(lines, at(o.Place))
		}
		l.Remedy += " Other lines that make one: " + several(lines) + "."
	}
	l.Example = fmt.Sprintf("var shared = &%s{…} // one, not one for each call", of)
	l.Confidence = lower(l.Confidence, evidence.Medium)
	return true
}

// byHeap leads to the program by the heap profile: the site whose memory a function of the
// same package allocates for the program.
func (s *search) byHeap(p *evidence.WaitingPlace, l *Leak) bool {
	l.Title = fmt.Sprintf("%s of %s", goroutines(p), profile.ShortName(p.Function))
	l.Remedy = "A library starts them for what the program asks of it, and they do not end. Look for what is made " +
		"or begun for each call, such as a client, a connection, a stream, a subscription or a decoder: close it, " +
		"cancel its context, or make one and share it."
	l.Example = "client := lib.New() // once\ndefer client.Close()"
	l.Confidence = lower(l.Confidence, evidence.Medium)
	module := s.moduleOf(p, profile.PackageOf(p.Function))
	site := s.siteBelow(func(function string) bool {
		pkg := profile.PackageOf(function)
		return pkg == module || strings.HasPrefix(pkg, module+"/")
	})
	if site == nil {
		return p.Grows || p.Leaked > 0
	}
	l.At, l.Path = site.Frame, site.Path
	return true
}

// siteBelow returns the site of the program with the most memory that functions for
// which match is true allocate for it; nil without one.
func (s *search) siteBelow(match func(function string) bool) *evidence.Site {
	var best *evidence.Site
	for i := range s.Sites {
		site := &s.Sites[i]
		inner := slices.Index(site.Path, site.Frame)
		if !site.Own || inner <= 0 {
			continue
		}
		of := slices.ContainsFunc(site.Path[:inner], func(f evidence.Frame) bool { return match(f.Function) })
		if of && (best == nil || site.Live.Bytes > best.Live.Bytes) {
			best = site
		}
	}
	return best
}

// Starter is a line of the program that starts goroutines of a library.
type Starter struct {
	evidence.Frame
	Call   string // "cache.New"
	Remedy string
}

// StarterOf returns the line of the program that starts the library's goroutine to which
// a path without a line of the program belongs; false where it is not known, and for
// goroutines that serve connections.
func StarterOf(e *evidence.Evidence, path []evidence.Frame) (Starter, bool) {
	path = slices.DeleteFunc(slices.Clone(path), func(f evidence.Frame) bool { return owner.OfRuntime(f.Function) })
	if len(path) == 0 || serves(path) || e.Releases() == nil {
		return Starter{}, false
	}
	root := path[len(path)-1]
	if ofClient(root.Function) || e.Owns(root) {
		return Starter{}, false
	}
	s := &search{Evidence: e, source: e.Releases()}
	s.weigh()
	made := s.starters(&evidence.WaitingPlace{Frame: root, Library: true, Path: path})
	if len(made) == 0 {
		return Starter{}, false
	}
	m := made[0]
	remedy := fmt.Sprintf("Goroutines of %s allocate it, which %s starts. Bound what they keep by the options of %s, and hand them no more than they can work off", profile.PackageOf(root.Function), at(m.Place), m.Text)
	if len(m.Methods) > 0 {
		remedy += fmt.Sprintf("; call %s when it is no longer used", strings.Join(m.Methods[:1], ""))
	}
	return Starter{s.known(frame(m.Place)), m.Text, remedy + "."}, true
}
