package main

import (
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/bench/ceilings/pairs"
)

// pair is a program and its cure.
type pair struct {
	name    string
	dir     string // of the module, from the root of the repository
	pkg     string
	bench   string
	cure    string         // mode of the cured build
	removes *regexp.Regexp // functions whose allocations the cure removes
}

// all returns the pairs: of the workloads, of package cures, and each of a
// package of its own.
func all() []pair {
	list := []pair{
		{"trees", ".", "./workloads/binarytrees", "^BenchmarkTree$/^auto$", "tags=slabarena", regexp.MustCompile(`heap\.grow$`)},
		{"clones", ".", "./workloads/payloadclone", "^BenchmarkClone$/^4KiBx32$", "tags=slabarena", regexp.MustCompile(`memory\.(clone|records)$`)},
	}
	for _, name := range []string{"Keys", "Answers", "Buffers", "Writers", "Cache", "Parse", "Events", "Tallies", "Fields", "Paths"} {
		list = append(list, cured(strings.ToLower(name), "./ceilings/cures", "Benchmark"+name, `\.faulty\w+$`))
	}
	for _, p := range pairs.All {
		list = append(list, cured(p.Name, "./ceilings/pairs/"+p.Name, p.Benchmark, p.Removes))
	}
	return list
}

// cured is a pair in this module, whose cure a build tag chooses.
func cured(name, pkg, bench, removes string) pair {
	return pair{name, "bench", pkg, "^" + bench + "$", "tags=cured", regexp.MustCompile(removes)}
}
