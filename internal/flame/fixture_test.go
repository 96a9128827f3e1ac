package flame

import (
	"bytes"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/internal/profile"
)

// sample is a stack, written from the caller to the callee as "main > f > g",
// and its values.
type sample struct {
	stack  string
	values []int64
}

// made is a profile to be encoded by google/pprof.
func made(types string, samples ...sample) *pprof.Profile {
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

// file is where a function of the fixtures stands.
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

// decoded brings made profiles into one dictionary.
func decoded(t testing.TB, all ...*pprof.Profile) []*profile.Profile {
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

func newTree(t testing.TB, p *profile.Profile, opts Options) *Tree {
	t.Helper()
	tree, err := New(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// heap is a small heap profile of a service, and cured the same later: a cache
// is gone, a buffer grew.
func heap() *pprof.Profile {
	return made("alloc_space/bytes inuse_space/bytes",
		sample{"main.main > net/http.(*conn).serve > main.handle > main.copy", []int64{6 << 20, 1 << 20}},
		sample{"main.main > net/http.(*conn).serve > main.handle > encoding/json.Marshal", []int64{3 << 20, 0}},
		sample{"main.main > net/http.(*conn).serve > main.handle > main.cache > github.com/x/lru.(*Cache).Add", []int64{2 << 20, 2 << 20}},
		sample{"main.main > main.handle > main.copy", []int64{1 << 20, 0}},
		sample{"main.main > main.walk > main.walk > main.walk", []int64{1 << 19, 1 << 10}},
		sample{"runtime.gcBgMarkWorker > runtime.systemstack", []int64{1 << 10, 1 << 10}},
	)
}

func cured() *pprof.Profile {
	return made("inuse_space/bytes alloc_space/bytes", // in another order than heap's
		sample{"main.main > net/http.(*conn).serve > main.handle > main.copy", []int64{1 << 20, 9 << 20}},
		sample{"main.main > net/http.(*conn).serve > main.handle > encoding/json.Marshal", []int64{0, 3 << 20}},
		sample{"main.main > main.handle > main.copy", []int64{0, 1 << 18}},
		sample{"main.main > main.pool", []int64{1 << 18, 1 << 18}},
		sample{"main.main > main.walk > main.walk > main.walk", []int64{1 << 10, 1 << 19}},
	)
}
