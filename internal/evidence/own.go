package evidence

import (
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

// owners finds the owners of the functions in a dictionary, each only once.
type owners struct {
	dict   *profile.Dict
	source *source.Index
	known  []owner.Owner // indexed by FunctionID; owner.Owners if it is not known yet
}

func newOwners(dict *profile.Dict, x *source.Index) owners {
	return owners{dict: dict, source: x, known: slices.Repeat([]owner.Owner{owner.Owners}, dict.NumFunctions())}
}

func (o *owners) of(id profile.FunctionID) owner.Owner {
	if o.known[id] == owner.Owners {
		f := o.dict.Function(id)
		o.known[id] = ownerOf(o.source, f.Name, f.File)
	}
	return o.known[id]
}

// ownerOf returns the owner of a function. If the source is available, that decides, and
// otherwise the name.
func ownerOf(x *source.Index, name, file string) owner.Owner {
	switch {
	case owner.OfRuntime(name):
		return owner.Runtime
	case injected(file):
		return owner.Standard
	case x.Owns(name, file):
		return owner.Program
	}
	return owner.Of(name, file)
}

// ofProfiler reports whether a function serves or writes profiles. Its allocations are not the
// program's.
func ofProfiler(function string) bool {
	return strings.HasPrefix(function, "runtime/pprof.") || strings.HasPrefix(function, "net/http/pprof.")
}

// injected reports whether the build has added a file, so that nobody can change it. Such files
// are for measuring (package inject), or have the main function of a test binary.
func injected(file string) bool {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	return base == "_testmain.go" || strings.HasPrefix(base, "heapwright_probe") ||
		strings.HasPrefix(base, "heapwright_profile")
}

// writesProfiles reports whether a function writes profiles for runtime/pprof. Its cost exists
// only because somebody measures. pprof.Do labels the program's own work, so it does not count.
func writesProfiles(function string) bool {
	name, ok := strings.CutPrefix(function, "runtime/pprof.")
	return ok && (strings.HasPrefix(name, "(*profileBuilder)") || strings.HasPrefix(name, "(*Profile)") ||
		strings.HasPrefix(name, "profileWriter") ||
		strings.HasPrefix(name, "writeHeap") || strings.HasPrefix(name, "WriteHeapProfile") ||
		strings.HasPrefix(name, "StartCPUProfile") ||
		strings.HasPrefix(name, "StopCPUProfile"))
}
