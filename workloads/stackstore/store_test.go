package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"github.com/heapwright/heapwright/workloads/program/command"
)

// kept outlives the benchmark, so that a heap profile, which is written at the
// end, shows the live objects.
var kept *store

// BenchmarkIngest ingests one profile of each of 8 services. Every profile was
// ingested before, so the trees that are kept do not grow: all that an
// operation allocates is garbage.
func BenchmarkIngest(b *testing.B) {
	const services = 8
	all := generate(services)
	s := newStore()
	kept = s
	ingest := func(batch []sent) {
		for _, p := range batch {
			if err := s.Ingest(p.service, p.data); err != nil {
				b.Fatal(err)
			}
		}
	}
	ingest(all)
	batches := slices.Collect(slices.Chunk(all, services))
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		ingest(batches[i%len(batches)])
		i++
	}
}

// flat returns the stacks below n, root first and joined by ";", with their values.
func flat(s *store, n *node, prefix string, all map[string]int64) map[string]int64 {
	for c := n.child; c != nil; c = c.sibling {
		stack := prefix + s.names[c.function]
		if c.self != 0 {
			all[stack] += c.self
		}
		flat(s, c, stack+";", all)
	}
	return all
}

// stacks returns the same of a profile, read by pprof's own package.
func stacks(t *testing.T, data []byte, all map[string]int64) {
	t.Helper()
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range p.Sample {
		var names []string
		for _, l := range sample.Location {
			for _, line := range l.Line {
				names = append(names, line.Function.Name)
			}
		}
		slices.Reverse(names)
		all[strings.Join(names, ";")] += sample.Value[len(sample.Value)-1]
	}
}

func TestStoreHoldsWhatProfilesHold(t *testing.T) {
	s, want := newStore(), map[string]map[string]int64{}
	for _, p := range generate(2) {
		if err := s.Ingest(p.service, p.data); err != nil {
			t.Fatal(err)
		}
		if want[p.service] == nil {
			want[p.service] = map[string]int64{}
		}
		stacks(t, p.data, want[p.service])
	}
	for service, want := range want {
		if diff := cmp.Diff(want, flat(s, s.services[service], "", map[string]int64{})); diff != "" {
			t.Errorf("%s: %s", service, diff)
		}
	}
}

func TestInlinedCalls(t *testing.T) {
	leaf, caller := &profile.Function{ID: 1, Name: "leaf"}, &profile.Function{ID: 2, Name: "caller"}
	main := &profile.Function{ID: 3, Name: "main"}
	inlined := &profile.Location{ID: 1, Line: []profile.Line{{Function: leaf}, {Function: caller}}}
	root := &profile.Location{ID: 2, Line: []profile.Line{{Function: main}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample:     []*profile.Sample{{Location: []*profile.Location{inlined, root}, Value: []int64{1, 7}}},
		Location:   []*profile.Location{inlined, root},
		Function:   []*profile.Function{leaf, caller, main},
	}
	var data bytes.Buffer
	if err := p.WriteUncompressed(&data); err != nil {
		t.Fatal(err)
	}
	s := newStore()
	if err := s.Ingest("service", data.Bytes()); err != nil {
		t.Fatal(err)
	}
	got := flat(s, s.services["service"], "", map[string]int64{})
	if diff := cmp.Diff(map[string]int64{"main;caller;leaf": 7}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDamagedProfileLeavesTheServiceAsItWas(t *testing.T) {
	data := generate(1)[0].data
	outside := appendBytes(nil, profileSample, appendNumber(nil, sampleLocation, functions+1))
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"cut short", "damaged", data[:len(data)-1]},
		{"compressed", "uncompressed", []byte("\x1f\x8b\x08")},
		{"sample of an unknown location", "no location", append(outside, data...)},
		{"location of an unknown function", "no function",
			appendBytes(nil, profileLocation, appendBytes(nil, locationLine, appendNumber(nil, lineFunction, 9)))},
		{"function of an unknown name", "no string", appendBytes(nil, profileFunction, appendNumber(nil, functionName, 9))},
		{"endless stack", "at most 4096", append(appendBytes(nil, profileSample,
			appendBytes(nil, sampleLocation, bytes.Repeat([]byte{1}, maxDepth+1))), data...)},
		{"huge id", "count from 1", appendBytes(nil, profileFunction, appendNumber(nil, functionID, 1<<62))},
	} {
		s := newStore()
		err := s.Ingest("ann", test.data)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "ann") {
			t.Errorf("%s: %v; want an error with %q", test.name, err, test.want)
		}
		if len(s.services) > 0 || s.samples > 0 {
			t.Errorf("%s: something was kept", test.name)
		}
	}
}

func FuzzIngest(f *testing.F) {
	data := generate(1)[0].data
	f.Add(data[:1<<10])
	f.Add(data[len(data)-1<<12:])
	f.Fuzz(func(t *testing.T, data []byte) {
		newStore().Ingest("service", data) // an error is fine
	})
}

func TestCommand(t *testing.T) {
	// The check value is the same wherever trees live.
	const args = "-profiles 10 -services 2"
	var got strings.Builder
	if err := run(strings.Fields(args), &got, io.Discard); err != nil {
		t.Fatal(err)
	}
	const want = "10 profiles\t 25000 samples in " + where + "\t 75903 calls kept\t check: 9844018bdefd9969\n"
	if !strings.HasSuffix(got.String(), want) || !strings.HasPrefix(got.String(), "service-0\t ") {
		t.Errorf("got\n%swant at the end\n%s", &got, want)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-profiles 0", "-profiles: use 1 or more"},
		{"-services 1001", "use 1 to 1000"},
		{"10", `argument "10"`},
		{"-nodes 1", "-nodes"},
	} {
		err := run(strings.Fields(test.args), io.Discard, io.Discard)
		if _, ok := err.(command.UsageError); !ok || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want a usage error with %q", test.args, err, test.want)
		}
	}
}
