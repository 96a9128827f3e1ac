package source

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/source/escape"
)

// Options say where source is looked for.
type Options struct {
	Dir string // a folder of the program's module; "" is the current one
	// Env is the environment of the go command, with GOTOOLCHAIN and GOFLAGS; nil is the
	// process's own.
	Env []string
	// Modules are patterns of packages to look into as if they were the program's
	// own, with commas between them. Each matches the beginning of a path.
	Modules string
	// Programs are patterns of the packages that were run. Study reads their packages main
	// even if no place lies in them.
	Programs []string
	Profiled time.Time // when the profiles were made: Notes names newer files; zero is unknown
}

// Index answers questions about source by place. A nil Index knows nothing. It
// may be read from many goroutines once Study has returned.
type Index struct {
	options  Options
	modules  []module
	packages []Package
	exports  map[string]string        // files of export data by import path
	export   func(path string) string // builds it, within the time of Study's context; "" where it cannot

	dependencies map[string]dependency // import path → dependency

	compiling time.Duration // how long compile took

	// The keys of the following maps are files by their names in profiles, lines in these,
	// and functions by their names in profiles.
	// newer reports that the go command is of a newer Go than this program, so that the types
	// of imports cannot be read.
	newer bool

	lines    sync.Map          // []string of a file; nil where there is none
	local    map[string]string // the files that Study found
	doubts   map[string]string // why a file's source is not used
	compiled map[string]bool   // the compiler has spoken of the file
	remarks  map[string]string // reservations about a file whose source is used
	escapes  map[lineKey][]escape.Value
	syntax   map[lineKey][]Allocation
	bodies   map[string][]Allocation // allocations of a declared function
	declared map[string][]Function   // functions of a file
}

type lineKey struct {
	file string
	line int
}

// Open finds the modules of a folder. It fails where there is no module, or no
// go command; diagnosing then continues without source.
func Open(ctx context.Context, o Options) (*Index, error) {
	modules, err := mainModules(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Index{
		options: o, modules: modules, dependencies: map[string]dependency{},
		local: map[string]string{}, doubts: map[string]string{}, remarks: map[string]string{},
		compiled: map[string]bool{}, escapes: map[lineKey][]escape.Value{}, syntax: map[lineKey][]Allocation{},
		declared: map[string][]Function{}, bodies: map[string][]Allocation{},
	}, nil
}

// Root returns the folder of the module that the index was opened in, absolute;
// of a workspace above its modules, the workspace's.
func (x *Index) Root() string {
	dir, err := filepath.Abs(x.options.Dir)
	if err != nil {
		return ""
	}
	best := ""
	for _, m := range x.modules {
		if below, err := filepath.Rel(m.Dir, dir); err == nil && filepath.IsLocal(below) && len(m.Dir) > len(best) {
			best = m.Dir
		}
	}
	if best == "" {
		return dir
	}
	return best
}

// Local returns where the file that profiles have for a function lies on this
// machine, and "" where it is not of the modules that are worked on.
func (x *Index) Local(function, file string) string {
	if x == nil {
		return ""
	}
	return x.find(function, file)
}

// Line returns a source line without white space around it, and false where it
// is not known.
func (x *Index) Line(file string, line int) (string, bool) {
	if x == nil || file == "" || line < 1 || x.doubts[file] != "" {
		return "", false
	}
	kept, ok := x.lines.Load(file)
	if !ok {
		local, studied := x.local[file]
		if !studied {
			local = x.find("", file)
		}
		kept, _ = x.lines.LoadOrStore(file, readLines(local))
	}
	lines := kept.([]string)
	if line > len(lines) {
		return "", false
	}
	return strings.TrimSpace(lines[line-1]), true
}

// Owns reports whether a function of that file is of the program's own modules. A
// nil Index owns none.
func (x *Index) Owns(function, file string) bool {
	if x == nil || function == "" {
		return false
	}
	pkg := x.packageAt(function, file)
	if pkg == "main" {
		return true
	}
	if strings.HasSuffix(file, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test")
	}
	_, own := x.module(pkg)
	return own || x.included(pkg)
}

// Escapes returns the values that the compiler put on the heap in a line, calls
// inlined there included.
func (x *Index) Escapes(file string, line int) []escape.Value {
	if x == nil {
		return nil
	}
	all := x.escapes[lineKey{file, line}]
	return slices.DeleteFunc(slices.Clone(all), func(e escape.Value) bool { return e.Stays })
}

// Stays says that the compiler kept a value of the line off the heap as far as
// it fits the frame: a conversion or a concatenation that allocates all the same
// is longer than the 32 bytes that it has there (tmpStringBufSize of
// runtime/string.go).
func (x *Index) Stays(file string, line int) bool {
	if x == nil {
		return false
	}
	return slices.ContainsFunc(x.escapes[lineKey{file, line}], func(e escape.Value) bool { return e.Stays })
}

// Allocations returns the expressions that may allocate in a line, by its syntax.
func (x *Index) Allocations(file string, line int) []Allocation {
	if x == nil {
		return nil
	}
	return x.syntax[lineKey{file, line}]
}

// Function returns the declaration that a line stands in, and false for lines
// outside of all and files that are not known.
func (x *Index) Function(file string, line int) (Function, bool) {
	if x == nil {
		return Function{}, false
	}
	for _, f := range x.declared[file] {
		if f.First <= line && line <= f.Last {
			return f, true
		}
	}
	return Function{}, false
}

// Doubt returns why the source of a file is not used, and "" where it is used.
func (x *Index) Doubt(file string) string {
	if x == nil {
		return "no source at hand"
	}
	return x.doubts[file]
}

// Notes returns one line for each file that could not be used, or not wholly.
func (x *Index) Notes() []string {
	if x == nil {
		return nil
	}
	var notes []string
	if x.newer {
		notes = append(notes, fmt.Sprintf("findings that need the types of imported packages are missing: heapwright is built with %s, and the go command here is newer; build heapwright with that version", runtime.Version()))
	}
	for file, why := range x.doubts {
		notes = append(notes, fmt.Sprintf("no source for %s: %s", file, why))
	}
	for file, what := range x.remarks {
		if x.doubts[file] == "" {
			notes = append(notes, fmt.Sprintf("%s: %s", file, what))
		}
	}
	slices.Sort(notes)
	return notes
}

// maxFile bounds a file of source, in bytes.
const maxFile = 64 << 20

// ReadFile reads a file of source.
func ReadFile(name string) ([]byte, error) { return input.ReadRegular(name, maxFile) }

// readLines returns the lines of a file, and none if it cannot be read.
func readLines(local string) []string {
	if local == "" || filepath.Ext(local) != ".go" {
		return nil
	}
	text, err := ReadFile(local)
	if err != nil {
		return nil
	}
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}

// Compiled reports whether the compiler's output for the file is known: then a value
// that it does not mention does not escape.
func (x *Index) Compiled(file string) bool { return x != nil && x.compiled[file] }

// Within returns the allocations of the whole declaration that a line stands in.
func (x *Index) Within(file string, line int) []Allocation {
	f, ok := x.Function(file, line)
	if !ok {
		return nil
	}
	var all []Allocation
	for n := f.First; n <= f.Last; n++ {
		all = append(all, x.syntax[lineKey{file, n}]...)
	}
	return all
}

// Of returns the allocations of a function of the packages that were studied,
// by the name that profiles have for it.
func (x *Index) Of(function string) []Allocation {
	if x == nil {
		return nil
	}
	return x.bodies[function]
}

// Storing returns the expressions of the packages that were studied which store the value that
// a variable gets on a line, in the order of their places.
func (x *Index) Storing(line Position) []Allocation {
	return x.those(func(a *Allocation) bool { return a.Value.File == line.File && a.Value.Line == line.Line })
}

// At returns the expressions that may allocate in a line of a file of this machine, which need not
// occur in a profile.
func (x *Index) At(file string, line int) []Allocation {
	return x.those(func(a *Allocation) bool { return a.Line == line && (a.File == file || x.local[a.File] == file) })
}

// Calls returns the calls of functions in the packages that were studied, by the
// names that profiles have for the functions, in the order of their places.
func (x *Index) Calls(callees ...string) []Allocation {
	return x.calls(func(a *Allocation) bool { return slices.Contains(callees, a.Callee) })
}

// Chains returns the calls that assign a result to the place which they begin with, if its type
// matches, in the order of their places.
func (x *Index) Chains(match func(typeName string) bool) []Allocation {
	return x.calls(func(a *Allocation) bool { return a.Chains && match(a.Type) })
}

// Handed returns the method values that go to functions of other modules, in the order of their
// places.
func (x *Index) Handed() []Allocation {
	return x.those(func(a *Allocation) bool { return a.Kind == MethodValue && a.Callee != "" })
}

func (x *Index) calls(match func(*Allocation) bool) []Allocation {
	return x.those(func(a *Allocation) bool { return a.Kind == Call && match(a) })
}

// those returns the expressions that match, in the order of their places.
func (x *Index) those(match func(*Allocation) bool) []Allocation {
	if x == nil {
		return nil
	}
	var all []Allocation
	for _, body := range x.bodies {
		for _, a := range body {
			if match(&a) {
				all = append(all, a)
			}
		}
	}
	slices.SortFunc(all, func(a, b Allocation) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// Starts returns the go statement that starts a function, by the name that profiles have
// for it and a line in it, and false where none or several may.
func (x *Index) Starts(function string, line int) (at Allocation, ok bool) {
	if x == nil {
		return Allocation{}, false
	}
	outer, literal := function, false
	if i := strings.Index(function, ".func"); i > 0 {
		outer, literal = function[:i], true
	}
	for in, body := range x.bodies {
		for _, a := range body {
			switch {
			case a.Kind != Go, literal && (in != outer || a.Callee != "" || a.Line > line),
				!literal && a.Callee != function:
			case ok && !literal:
				return Allocation{}, false
			case !ok || a.Line > at.Line: // the last literal that begins before the line counts
				at, ok = a, true
			}
		}
	}
	return at, ok
}

// Compiling returns the time that the go command took to compile the packages studied.
func (x *Index) Compiling() time.Duration {
	if x == nil {
		return 0
	}
	return x.compiling
}
