package flame

import (
	"hash/fnv"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Frame is a function, or a binary where its functions are not known.
type Frame struct {
	Name    string // harmless to show
	Package string
	File    string // as the compiler recorded it; "" is unknown
	Line    int64  // where the function begins; 0 is unknown
	Origin  Origin

	file string // File, before it was made harmless
}

// Origin tells by whom a function was written.
type Origin uint8

const (
	Own        Origin = iota // the program's module, as far as its files tell
	Dependency               // another module
	Standard                 // Go's standard library
	Runtime                  // Go's runtime, and frames without symbols
	numOrigins
)

var originNames = [numOrigins]string{"own code", "dependencies", "standard library", "runtime"}

// String returns the name for people.
func (o Origin) String() string { return originNames[o] }

// newFrame describes a function by its name in the profile.
func newFrame(name string, f profile.Function) Frame {
	pkg := profile.PackageOf(name)
	return Frame{
		Name: termtext.Harmless(name), Package: termtext.Harmless(pkg), File: termtext.Harmless(f.File), Line: f.StartLine,
		Origin: originOf(pkg, f.File), file: f.File,
	}
}

func originOf(pkg, file string) Origin {
	first, _, nested := strings.Cut(pkg, "/")
	switch {
	case pkg == "runtime", strings.HasPrefix(pkg, "runtime/internal/"), strings.HasPrefix(pkg, "internal/runtime/"),
		strings.HasPrefix(pkg, "internal/abi"), strings.HasPrefix(pkg, "internal/bytealg"),
		strings.HasPrefix(pkg, "["), strings.HasPrefix(pkg, "<"):
		return Runtime
	case standard[first], first == "vendor" && nested:
		return Standard
	case pkg != "main" && !nested && strings.HasSuffix(file, ".s"), pkg == "":
		return Runtime // assembly whose names have no package: memeqbody, gcWriteBarrier
	case strings.Contains(file, "@v"), strings.Contains(file, "/vendor/"):
		return Dependency
	}
	return Own
}

// standard are the first elements of import paths in GOROOT/src. A list, and not
// "has no dot", because a module may be named without one.
var standard = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`archive arena bufio builtin bytes cmp cmd compress container context crypto
		database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math
		mime net os path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing
		text time unicode unique unsafe uuid weak`) {
		all[name] = true
	}
	return all
}()

// shades is how many colours an origin has, so that neighbours of different
// packages differ.
const shades = 6

// tone is the number of a frame's colour: that of its package.
func (f Frame) tone() int {
	h := fnv.New32a()
	h.Write([]byte(f.Package))
	return int(f.Origin)*shades + int(h.Sum32()%shades)
}
