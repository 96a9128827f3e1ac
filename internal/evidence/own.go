package evidence

import (
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// owner says whose code a function is.
type owner uint8

const (
	undecided owner = iota
	inRuntime       // of the runtime: allocation and collection
	inLibrary       // of the standard library or of another module
	inProgram       // of the program
)

// owners tells whose code the functions of a dictionary are, each once.
type owners struct {
	dict   *profile.Dict
	source *source.Index
	known  []owner // by FunctionID
}

func (o *owners) of(id profile.FunctionID) owner {
	if o.known[id] == undecided {
		f := o.dict.Function(id)
		o.known[id] = tell(o.source, f.Name, f.File)
	}
	return o.known[id]
}

// tell goes by the source where it is at hand. The program's own are also those
// that are neither of the standard library nor read from the module cache or a
// vendor folder, by the file that the compiler recorded: a module beside the one
// at hand can be changed as well, and its line says more than one of package io.
func tell(x *source.Index, name, file string) owner {
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
	if x.Owns(name, file) {
		return inProgram
	}
	file = strings.ReplaceAll(file, `\`, "/")
	switch {
	case source.Standard(pkg), strings.Contains(file, "/vendor/"), strings.Contains(file, "/pkg/mod/"), source.Versioned(file):
		return inLibrary
	}
	return inProgram
}

// OfRuntime reports whether a function is the runtime's.
func OfRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/") ||
		strings.HasPrefix(function, "gcWriteBarrier")
}

// ofProfiler reports whether a function serves or writes profiles: its own
// allocations are not the program's.
func ofProfiler(function string) bool {
	return strings.HasPrefix(function, "runtime/pprof.") || strings.HasPrefix(function, "net/http/pprof.")
}

// injected reports whether a file is one that a build adds and nobody can change:
// those for measuring (package probe), and the main function of a test binary.
func injected(file string) bool {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	return base == "_testmain.go" || strings.HasPrefix(base, "heapwright_probe") || strings.HasPrefix(base, "heapwright_profile")
}

// writesProfiles reports whether a function belongs to runtime/pprof's writing of
// profiles, whose cost is there because somebody measures. pprof.Do, which labels
// a program's own work, does not.
func writesProfiles(function string) bool {
	name, ok := strings.CutPrefix(function, "runtime/pprof.")
	return ok && (strings.HasPrefix(name, "(*profileBuilder)") || strings.HasPrefix(name, "(*Profile)") || strings.HasPrefix(name, "profileWriter") ||
		strings.HasPrefix(name, "writeHeap") || strings.HasPrefix(name, "WriteHeapProfile") || strings.HasPrefix(name, "StartCPUProfile") ||
		strings.HasPrefix(name, "StopCPUProfile"))
}
