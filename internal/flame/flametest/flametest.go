// Package flametest has made-up profiles for the tests of flame graphs, and the figures
// that such a graph must show, computed in the simplest way.
package flametest

import (
	"bytes"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/profile"
)

// HostileName is the name of a function in a program that attacks whoever looks at its
// profile: it tries HTML, script, terminal and template injection.
const HostileName = "main.</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\n\"'&]]>\u202e\u2028\x00\xff{{.}}${x}"

// Sample is a stack and its values, one for each sample type.
type Sample struct {
	stack  string
	values []int64
}

// Stack returns a sample of a stack that is written from the caller to the
// callee, as "main > f > g".
func Stack(stack string, values ...int64) Sample { return Sample{stack, values} }

// New returns a profile with the given samples. It has the sample types in types, such as
// "alloc_space/bytes inuse_space/bytes". It is a profile of google/pprof, so that the tests
// do not depend on our own encoder.
func New(types string, samples ...Sample) *pprof.Profile {
	p := &pprof.Profile{}
	for t := range strings.FieldsSeq(types) {
		name, unit, _ := strings.Cut(t, "/")
		p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: unit})
	}
	functions := map[string]*pprof.Location{}
	for _, s := range samples {
		out := &pprof.Sample{Value: s.values}
		for name := range strings.SplitSeq(s.stack, " > ") {
			loc := functions[name]
			if loc == nil {
				id := uint64(len(functions) + 1)
				f := &pprof.Function{ID: id, Name: name, Filename: file(name), StartLine: 3}
				loc = &pprof.Location{ID: id, Address: id, Line: []pprof.Line{{Function: f, Line: int64(10 + id)}}}
				p.Function, p.Location = append(p.Function, f), append(p.Location, loc)
				functions[name] = loc
			}
			out.Location = append([]*pprof.Location{loc}, out.Location...)
		}
		p.Sample = append(p.Sample, out)
	}
	return p
}

// file returns the file of a function: one in the module cache, in the program or in the
// standard library, by its package.
func file(name string) string {
	switch pkg := profile.PackageOf(name); {
	case strings.HasPrefix(pkg, "github.com/"):
		return pkg + "@v1.2.3/code.go"
	case pkg == "main":
		return "/src/app/main.go"
	default:
		return pkg + "/code.go"
	}
}

// Decode encodes profiles and decodes them into one dictionary, so that they can be
// compared.
func Decode(t testing.TB, all ...*pprof.Profile) []*profile.Profile {
	t.Helper()
	decoder := profile.NewDecoder(profile.Options{Rebase: true})
	var out []*profile.Profile
	for _, p := range all {
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		d, err := decoder.Decode("test", &b)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// Heap returns a small heap profile of a service.
func Heap() *pprof.Profile {
	return New("alloc_space/bytes inuse_space/bytes",
		Stack("main.main > net/http.(*conn).serve > main.handle > main.copy", 6<<20, 1<<20),
		Stack("main.main > net/http.(*conn).serve > main.handle > encoding/json.Marshal", 3<<20, 0),
		Stack("main.main > net/http.(*conn).serve > main.handle > main.cache > github.com/x/lru.(*Cache).Add",
			2<<20, 2<<20),
		Stack("main.main > main.handle > main.copy", 1<<20, 0),
		Stack("main.main > main.walk > main.walk > main.walk", 1<<19, 1<<10),
		Stack("runtime.gcBgMarkWorker > runtime.systemstack", 1<<10, 1<<10),
	)
}

// HeapLater returns a later profile of the same service: a cache is gone, a buffer grew.
func HeapLater() *pprof.Profile {
	return New("inuse_space/bytes alloc_space/bytes", // the order is not Heap's
		Stack("main.main > net/http.(*conn).serve > main.handle > main.copy", 1<<20, 9<<20),
		Stack("main.main > net/http.(*conn).serve > main.handle > encoding/json.Marshal", 0, 3<<20),
		Stack("main.main > main.handle > main.copy", 0, 1<<18),
		Stack("main.main > main.pool", 1<<18, 1<<18),
		Stack("main.main > main.walk > main.walk > main.walk", 1<<10, 1<<19),
	)
}
