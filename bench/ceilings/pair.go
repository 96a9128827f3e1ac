package main

import (
	"regexp"
	"strings"
)

// pair is a program and its cure.
type pair struct {
	name    string
	pkg     string
	bench   string
	cure    string         // mode of the cured build
	removes *regexp.Regexp // functions whose allocations the cure removes
}

// all returns the pairs.
func all() []pair {
	list := []pair{
		{"trees", "./workloads/binarytrees", "^BenchmarkTree$/^auto$", "tags=slabarena", regexp.MustCompile(`heap\.grow$`)},
		{"clones", "./workloads/payloadclone", "^BenchmarkClone$/^4KiBx32$", "tags=slabarena", regexp.MustCompile(`memory\.(clone|records)$`)},
	}
	for _, name := range []string{"Keys", "Answers", "Buffers", "Writers", "Cache", "Parse", "Events", "Tallies", "Fields", "Paths"} {
		list = append(list, cured(strings.ToLower(name), "cures", "Benchmark"+name, `\.faulty\w+$`))
	}
	for _, p := range pairs {
		list = append(list, cured(p.name, "pairs/"+p.name, p.benchmark, p.removes))
	}
	return list
}

// pairs are the programs of workloads/pairs: each a package with one benchmark.
var pairs = []struct{ name, benchmark, removes string }{
	{"bignum", "BenchmarkGrow", `\.before$|math/big\.nat\.make$`},
	{"boxing", "BenchmarkRun", `\.before$`},
	{"closure", "BenchmarkSum", `\.before$`},
	{"contextvalue", "BenchmarkConsume", `\.before$|^context\.WithValue$`},
	{"conversion", "BenchmarkCount", `\.before(-range\d+)?$`},
	{"embedded", "BenchmarkSnapshot", `\.before$`},
	{"encoder", "BenchmarkCompress", `\.before$`},
	{"formatting", "BenchmarkCount", `\.before$`},
	{"linkedlist", "BenchmarkAdmit", `\.before\.func\d+$`},
	{"mapsize", "BenchmarkCompare", `\.before$`},
	{"matrix", "BenchmarkNearest", `\.before$`},
	{"pool", "BenchmarkServe", `\.before$`},
	{"preallocate", "BenchmarkGather", `\.before$`},
	{"sentinel", "BenchmarkRender", `\.before$|^fmt\.[Ee]rrorf$`},
	{"slab", "BenchmarkEval", `\.before\.func1$`},
	{"smallset", "BenchmarkFreight", `\.before$`},
	{"split", "BenchmarkSum", `^strings\.genSplit$`},
	{"view", "BenchmarkAlert", `\.before$`},
	{"hashtext", "BenchmarkSpread", `\.before$`},
	{"pattern", "BenchmarkFind", `^regexp/syntax\.|^regexp\.(Compile|compile|MustCompile|onePass)`},
	{"response", "BenchmarkSend", `\.before$|^encoding/json\.Marshal$`},
	{"timestamp", "BenchmarkWrite", `^time\.Time\.Format$|\.before$`},
	{"unique", "BenchmarkMerge", `\.before$`},
}

// cured is a pair in a package of workloads, whose cure a build tag chooses.
func cured(name, pkg, bench, removes string) pair {
	return pair{name: name, pkg: "./workloads/" + pkg, bench: "^" + bench + "$", cure: "tags=cured",
		removes: regexp.MustCompile(removes)}
}
