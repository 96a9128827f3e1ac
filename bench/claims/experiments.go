package main

import (
	"context"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
)

// experiment is a command that claims rest on.
type experiment struct {
	name   string
	args   []string // of heapwright
	budget time.Duration
}

// The releases of Go to measure. Those before the module's own Go run the programs in
// plain/, which they can compile.
const (
	go120 = "go1.20.14"
	go125 = "go1.25.0"
	go126 = "go1.26.8"
	go127 = "go1.27.4"
)

const (
	benchmarks = 4 * time.Minute
	served     = 15 * time.Minute
	storms     = 40 * time.Minute
)

// The modes of binary trees, the message store and the gRPC service beside each
// other: Go's arenas, the collector before, and this project's means.
func matrix(release string) string {
	return release + "," + release + "+arenas," + release + "+nogreenteagc," + release + "+tags=slabarena," + release + "+floor=64MiB"
}

// The modes of the published table of clones: neither, Green Tea, arenas, both.
func clones(release string) string {
	return release + "+nogreenteagc," + release + "," + release + "+nogreenteagc+arenas," + release + "+arenas"
}

func compare(modes string, more ...string) []string {
	return append([]string{"compare", "-modes", modes}, more...)
}

const plain = "workloads/claims/plain"

var experiments = []experiment{
	{"trees-plain-go1.20", compare(go120+","+go120+"+arenas", "-C", plain, "./trees"), benchmarks},
	{"trees-plain-go1.25", compare(go125+","+go125+"+arenas,"+go125+"+greenteagc", "-C", plain, "./trees"), benchmarks},
	{"trees-plain-go1.26", compare(go126+","+go126+"+nogreenteagc", "-C", plain, "./trees"), benchmarks},
	{"trees-plain-go1.27", compare(go127+","+go127+"+nogreenteagc", "-C", plain, "./trees"), benchmarks},
	{"trees-go1.26", compare(matrix(go126), "-bench", "Tree/auto", "./workloads/binarytrees"), benchmarks},
	{"trees-go1.27", compare(matrix(go127), "-bench", "Tree/auto", "./workloads/binarytrees"), benchmarks},
	{"store-go1.26", compare(matrix(go126), "./workloads/stackstore"), benchmarks},
	{"store-go1.27", compare(matrix(go127), "./workloads/stackstore"), benchmarks},
	{"clones-plain-go1.25", compare(go125+","+go125+"+greenteagc,"+go125+"+arenas,"+go125+"+greenteagc+arenas", "-C", plain, "./clones"), benchmarks},
	{"clones-plain-go1.26", compare(clones(go126), "-C", plain, "./clones"), benchmarks},
	{"clones-plain-go1.27", compare(clones(go127), "-C", plain, "./clones"), benchmarks},
	{"clones-grpc-go1.26", compare(matrix(go126), "./workloads/payloadclone"), 2 * benchmarks},
	{"ballast", []string{"compare", "-modes-file", "bench/claims/storm.toml", "-main", "./workloads/gateway", "-load", "headers=bench/claims/token.txt,shape=storm,rate=20,warmup=6s,duration=21s,storm-length=3s", "-blocks", "14",
		"-url", "http://127.0.0.1:{port}/v1/orders/7", "--", "-addr", "127.0.0.1:{port}", "-garbage", "512KiB"}, storms},
	{"leaky", compare("default,tags=cured,floor=128MiB", "./workloads/leakygateway"), benchmarks},
	{"leaky-served", compare("default,tags=cured,floor=128MiB", "-main", "./workloads/leakygateway", "-load", "duration=8s,warmup=2s,body=workloads/claims/batch.txt",
		"-url", "http://127.0.0.1:{port}/v1/acme/readings", "--", "-addr", "127.0.0.1:{port}"), served},
	{"profile-rate", compare("default,GODEBUG=memprofilerate=1", "-bench", "Request", "./workloads/leakygateway"), benchmarks},
}

// command is the command of heapwright, for so long at most.
func (e experiment) command(budget time.Duration) []string {
	return slices.Concat(e.args[:1], []string{"-budget", budget.String()}, e.args[1:])
}

// modes are the modes that the experiment compares, the baseline first.
func (e experiment) modes() ([]mode.Mode, error) {
	if e.args[1] == "-modes-file" {
		return mode.Load(context.Background(), e.args[2])
	}
	return mode.Parse(e.args[2])
}

func named(name string) (experiment, bool) {
	for _, e := range experiments {
		if e.name == name {
			return e, true
		}
	}
	return experiment{}, false
}
