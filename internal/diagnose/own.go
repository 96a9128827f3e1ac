package diagnose

import (
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// layer says whose code a function is.
type layer uint8

const (
	undecided layer = iota
	inRuntime       // of the runtime: what allocates and collects
	inLibrary       // of the standard library or of another module
	inProgram       // of the program
)

// owners tells whose code the functions of a dictionary are, each once.
type owners struct {
	dict   *profile.Dict
	source *source.Index
	known  []layer // by FunctionID
}

func newOwners(d *profile.Dict, x *source.Index) *owners {
	_, _, _, functions := d.Sizes()
	return &owners{dict: d, source: x, known: make([]layer, functions)}
}

func (o *owners) of(id profile.FunctionID) layer {
	if o.known[id] == undecided {
		f := o.dict.Function(id)
		o.known[id] = o.tell(f.Name, f.File)
	}
	return o.known[id]
}

// tell goes by the source where it is at hand. The program's own are also those
// that are neither of the standard library nor read from the module cache or a
// vendor folder, by the file that the compiler recorded: a module beside the one
// at hand can be changed as well, and its line says more than one of package io.
func (o *owners) tell(name, file string) layer {
	pkg := profile.PackageOf(name)
	switch {
	case name == "", pkg == "" && !strings.Contains(name, "."): // no symbols; assembly of the runtime
		return inRuntime
	case pkg == "runtime" || strings.HasPrefix(pkg, "runtime/internal/") || strings.HasPrefix(pkg, "internal/runtime/") ||
		pkg == "internal/bytealg" || pkg == "internal/abi":
		return inRuntime
	}
	if injected(file) {
		return inLibrary
	}
	if own, _ := o.source.Owns(name, file); own {
		return inProgram
	}
	file = strings.ReplaceAll(file, `\`, "/")
	switch {
	case standard[first(pkg)], strings.Contains(file, "/vendor/"), strings.Contains(file, "/pkg/mod/"), versioned(file):
		return inLibrary
	}
	return inProgram
}

// own says whether a frame is of the program's own code.
func (e *Evidence) own(f Frame) bool {
	o := owners{source: e.Source}
	return o.tell(f.Function, f.File) == inProgram
}

// injected says whether a file is one that a build for measuring adds (package
// probe).
func injected(file string) bool {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	return strings.HasPrefix(base, "heapwright_probe") || strings.HasPrefix(base, "heapwright_profile")
}

// profiles says whether a function is of runtime/pprof's writing of profiles:
// what it costs is there because somebody looks. pprof.Do, which labels a
// program's own work, is none of them.
func profiles(function string) bool {
	name, ok := strings.CutPrefix(function, "runtime/pprof.")
	return ok && (strings.HasPrefix(name, "(*profileBuilder)") || strings.HasPrefix(name, "(*Profile)") || strings.HasPrefix(name, "profileWriter") ||
		strings.HasPrefix(name, "writeHeap") || strings.HasPrefix(name, "WriteHeapProfile") || strings.HasPrefix(name, "StartCPUProfile") ||
		strings.HasPrefix(name, "StopCPUProfile"))
}

func first(pkg string) string {
	head, _, _ := strings.Cut(pkg, "/")
	return head
}

// versioned says whether a path has an element like "chi@v5.0.1", which
// -trimpath leaves of the module cache.
func versioned(file string) bool {
	i := strings.Index(file, "@v")
	return i > 0 && i+2 < len(file) && '0' <= file[i+2] && file[i+2] <= '9'
}

// standard holds the first elements of the standard library's import paths (go
// list std, Go 1.27). Other modules are to have a dot there, or are the
// program's own.
var standard = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`archive arena bufio bytes cmp compress container context crypto database debug
		embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os path
		plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time unicode
		unique unsafe uuid vendor weak`) {
		all[name] = true
	}
	return all
}()
