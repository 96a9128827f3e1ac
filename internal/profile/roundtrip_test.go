package profile

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// realProfiles are this process's own, of every kind that Go writes.
var realProfiles = sync.OnceValue(func() map[string][]byte {
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(0)
	all := map[string][]byte{}
	var cpu bytes.Buffer
	if pprof.StartCPUProfile(&cpu) == nil {
		pprof.Do(context.Background(), pprof.Labels("request", "a\nb", "tenant", "<i>"), func(context.Context) {
			for range 20 {
				work()
			}
		})
		pprof.StopCPUProfile()
		all["cpu"] = cpu.Bytes()
	}
	for _, kind := range []string{"heap", "allocs", "goroutine", "mutex", "block", "threadcreate"} {
		var b bytes.Buffer
		if err := pprof.Lookup(kind).WriteTo(&b, 0); err != nil {
			panic(err)
		}
		all[kind] = b.Bytes()
	}
	return all
})

var sink [][]byte

// work allocates, waits for a lock and takes CPU time.
func work() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 200 {
				mu.Lock()
				sink = append(sink, make([]byte, 1<<(i%12)))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	sink = nil
}

func TestRealProfilesComeBackWhole(t *testing.T) {
	for kind, file := range realProfiles() {
		t.Run(kind, func(t *testing.T) {
			want, err := gpprof.ParseData(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := NewDecoder(Options{}).Decode(kind, bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, viaPprof(t, p), want)

			var gz bytes.Buffer
			if err := p.Encode(&gz); err != nil {
				t.Fatal(err)
			}
			again, err := gpprof.ParseData(gz.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, again, want)
		})
	}
}

// full has every field of profile.proto in use, ids with gaps, entries that
// nothing refers to, several values for one label key, and no dense numbering.
func full() *gpprof.Profile {
	main := &gpprof.Mapping{ID: 7, Start: 0x400000, Limit: 0x500000, Offset: 0x1000, File: "/bin/main", BuildID: "abc",
		HasFunctions: true, HasLineNumbers: true}
	unused := &gpprof.Mapping{ID: 1 << 40, Start: 1, Limit: 1<<64 - 1, File: "[vdso]", HasFilenames: true, HasInlineFrames: true}
	f1 := &gpprof.Function{ID: 3, Name: "main.f", SystemName: "_main.f", Filename: "/a b/f.go", StartLine: -5}
	f2 := &gpprof.Function{ID: 1, Name: "<script>\x1b[31m\n", Filename: "日本.go"}
	f3 := &gpprof.Function{ID: 1 << 63, Name: "unused"}
	inlined := &gpprof.Location{ID: 99, Mapping: main, Address: 0x400123, IsFolded: true, Line: []gpprof.Line{
		{Function: f1, Line: 12, Column: 3}, {Function: f2, Line: 1 << 62, Column: -1}}}
	bare := &gpprof.Location{ID: 2, Address: 1 << 63}
	alone := &gpprof.Location{ID: 3, Line: []gpprof.Line{{Function: f1}}}
	return &gpprof.Profile{
		SampleType:        []*gpprof.ValueType{{Type: "alloc_space", Unit: "bytes"}, {Type: "x", Unit: ""}},
		DefaultSampleType: "x",
		Sample: []*gpprof.Sample{
			{Location: []*gpprof.Location{inlined, bare, inlined}, Value: []int64{1, -1},
				Label:    map[string][]string{"z": {"2", "1", "2"}, "a": {"x"}},
				NumLabel: map[string][]int64{"bytes": {16, 0, 3}, "n": {-7}}, NumUnit: map[string][]string{"bytes": {"bytes", "", "k"}}},
			{Location: []*gpprof.Location{inlined, bare, inlined}, Value: []int64{1<<63 - 1, -1 << 63}},
			{Value: []int64{0, 0}},
			{Location: []*gpprof.Location{inlined, bare, inlined}, Value: []int64{0, 5},
				Label: map[string][]string{"a": {"x"}, "z": {"1", "2", "2"}}},
		},
		Mapping:  []*gpprof.Mapping{main, unused},
		Location: []*gpprof.Location{inlined, bare, alone},
		Function: []*gpprof.Function{f1, f2, f3},
		Comments: []string{"first", "", "first"}, DocURL: "https://example.org", DropFrames: "drop.*", KeepFrames: "keep",
		TimeNanos: 1, DurationNanos: -1, PeriodType: &gpprof.ValueType{Type: "space", Unit: "bytes"}, Period: 524288,
	}
}

func rawOf(t testing.TB, p *gpprof.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEveryFieldComesBack(t *testing.T) {
	raw := rawOf(t, full())
	wantSame(t, viaPprof(t, decodeRaw(t, raw)), kept(t, full()))
}

func TestDictIsShared(t *testing.T) {
	dec := NewDecoder(Options{Dict: new(Dict)})
	raw := rawOf(t, full())
	a, err := dec.Decode("a", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	before := *a.Dict
	b, err := dec.Decode("b", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if a.Dict != b.Dict || before.stacks.len() != b.Dict.stacks.len() || len(before.text.strs) != len(b.Dict.text.strs) {
		t.Error("the second profile added to the dictionary")
	}
	if a.Stacks[0] != b.Stacks[0] || a.Labels[0] != b.Labels[0] || a.Labels[0] == a.Labels[3] {
		t.Error("numbers are not equal exactly if contents are")
	}
	wantSame(t, viaPprof(t, b), kept(t, full()))
}
