package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/pprof/profile"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// programs are the tests of packages of the standard library, whose benchmarks are the
// ten programs.
var programs = []string{"encoding/json", "encoding/xml", "encoding/gob", "regexp", "go/parser",
	"text/template", "html/template", "compress/flate", "fmt", "net/http"}

// record writes the profiles of each program that are not there yet.
func record(ctx context.Context, dir string) error {
	for i, pkg := range programs {
		to := filepath.Join(dir, fmt.Sprint(i))
		if _, err := os.Stat(filepath.Join(to, "cpu")); err == nil {
			continue
		}
		if err := os.MkdirAll(to, 0o777); err != nil {
			return err
		}
		// One benchmark of encoding/json makes a million types, which takes minutes.
		if err := (program.In{}).Run(ctx, "go", "test", pkg, "-run=^$", "-bench=.", "-skip=TypeFieldsCache",
			"-benchtime=5ms", "-memprofilerate=4096", "-memprofile="+filepath.Join(to, "heap"),
			"-cpuprofile="+filepath.Join(to, "cpu"), "-o="+filepath.Join(to, "test.exe")); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s is recorded\n", pkg)
	}
	return nil
}

// variants are the answers of each program, one after the other.
type variants struct{ heap, cpu [][][]byte }

// variety is how many heap profiles a program answers before the first one again, as a
// process does that has restarted: with one in 15 s, 10 minutes.
const variety = 40

func readVariants(dir string) (*variants, error) {
	v := &variants{}
	for i := range programs {
		heap, err := vary(filepath.Join(dir, fmt.Sprint(i), "heap"), variety, true)
		if err != nil {
			return nil, err
		}
		cpu, err := vary(filepath.Join(dir, fmt.Sprint(i), "cpu"), 4, false)
		if err != nil {
			return nil, err
		}
		v.heap, v.cpu = append(v.heap, heap), append(v.cpu, cpu)
	}
	return v, nil
}

// vary returns profiles with the stacks of a real one and changed weights. Columns that
// count from the start of a process grow.
func vary(file string, n int, grows bool) (all [][]byte, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	sums := make([]float64, len(p.Sample)) // how often each sample's work was done
	for range n {
		one := p.Copy()
		for i, s := range one.Sample {
			weight := math.Exp(0.5 * rng.NormFloat64())
			sums[i] += weight
			for t := range s.Value {
				factor := weight
				if grows && strings.HasPrefix(p.SampleType[t].Type, "alloc_") {
					factor = sums[i]
				}
				s.Value[t] = int64(float64(s.Value[t]) * factor)
			}
		}
		one.TimeNanos = 0
		var b bytes.Buffer
		if err := one.Write(&b); err != nil {
			return nil, err
		}
		all = append(all, b.Bytes())
	}
	return all, nil
}

// handler answers as the process whose number is first in the path.
func (v *variants) handler() http.Handler {
	mux := http.NewServeMux()
	var asked [10_000]atomic.Int64
	answer := func(from func(program int) [][]byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var i int
			if _, err := fmt.Sscan(r.PathValue("process"), &i); err != nil || i < 0 || i >= len(asked) {
				http.NotFound(w, r)
				return
			}
			all := from(i % len(programs))
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write(all[int(asked[i].Add(1))%len(all)])
		}
	}
	mux.HandleFunc("GET /{process}/debug/pprof/heap", answer(func(p int) [][]byte { return v.heap[p] }))
	cpu := answer(func(p int) [][]byte { return v.cpu[p] })
	mux.HandleFunc("GET /{process}/debug/pprof/profile", func(w http.ResponseWriter, r *http.Request) {
		select { // recording takes its time
		case <-time.After(5 * time.Second):
			cpu(w, r)
		case <-r.Context().Done():
		}
	})
	return mux
}
