package main

import (
	"io"
	"strings"
	"testing"
)

// Depths of the benchmark. The long-lived tree is 8 MiB, twice the smallest
// heap at which the runtime collects, so that GOGC decides how often that is.
// An operation grows the short-lived trees of one batch after the other,
// about 2^17 nodes in all: a few milliseconds.
const (
	longLivedDepth  = 18
	shortLivedDepth = 10
)

// BenchmarkTree grows and releases short-lived trees beside a long-lived one.
func BenchmarkTree(b *testing.B) {
	for _, name := range variantNames() {
		if name == "heap" || name == "goarena" {
			continue // they are "auto" in the builds that people compare
		}
		b.Run(name, func(b *testing.B) {
			newAllocator, err := constructor(name)
			if err != nil {
				b.Fatal(err)
			}
			temporary, permanent := newAllocator(), newAllocator()
			longLived := permanent.grow(longLivedDepth)
			b.ReportAllocs()
			for b.Loop() {
				shortLived(temporary, shortLivedDepth)
			}
			if got, want := longLived.count(), 1<<(longLivedDepth+1)-1; got != want {
				b.Fatalf("the long-lived tree has %d nodes, want %d", got, want)
			}
			permanent.release(longLived)
		})
	}
}

func TestCheckValues(t *testing.T) {
	const want = "stretch tree of depth 11\t check: 4095\n" +
		"1024\t trees of depth 4\t check: 31744\n" +
		"256\t trees of depth 6\t check: 32512\n" +
		"64\t trees of depth 8\t check: 32704\n" +
		"16\t trees of depth 10\t check: 32752\n" +
		"long lived tree of depth 10\t check: 2047\n"
	for _, name := range variantNames() {
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			if err := run([]string{"-depth", "10", "-variant", name}, &got, io.Discard); err != nil {
				t.Fatal(err)
			}
			if got.String() != want {
				t.Errorf("got\n%swant\n%s", &got, want)
			}
		})
	}
}

func TestWrongUsage(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-depth 3", "-depth 3: use 4 to 25"},
		{"-depth 26", "-depth 26: use 4 to 25"},
		{"-variant ballast", `-variant "ballast": this build has auto, `},
		{"deep", `argument "deep"`},
	} {
		err := run(strings.Fields(test.args), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q", test.args, err, test.want)
		}
	}
}
