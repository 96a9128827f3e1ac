// Serveversions runs two versions of a service side by side in real time, and measures when
// heapwright serve reports the two lines that cost more in the newer one: one takes 3% of the
// CPU time of a request, the other allocates 5% of its bytes.
//
//	go -C bench run ./serveversions > docs/results/serveversions.md
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	Replicas   int
	Duration   time.Duration
	cores      float64
	Every      time.Duration
	Record     time.Duration
	heapwright string
	kept       string
}

func main() {
	var s settings
	flag.IntVar(&s.Replicas, "replicas", 20, "run so many processes, half of them of the newer version")
	flag.DurationVar(&s.Duration, "duration", 30*time.Minute, "end after `TIME`")
	flag.Float64Var(&s.cores, "cores", 0.8, "give all processes together so much work, in cores")
	flag.DurationVar(&s.Every, "cpu-every", time.Minute, "serve takes a CPU profile of each process every `TIME`")
	flag.DurationVar(&s.Record, "cpu-duration", 30*time.Second, "serve records each CPU profile for `TIME`")
	flag.StringVar(&s.heapwright, "tool", "", "measure the heapwright in `FILE`, not the one of this checkout")
	flag.StringVar(&s.kept, "o", "", "let serve keep its profiles in `DIR`, and leave them there")
	program.Main(program.InScratch(s.do))
}

// cost is the cost of a request, as the service measures it.
type cost struct{ Seconds, Bytes, Round float64 }

const (
	// moreCPU and moreBytes are shares of the CPU time and of the bytes of a request.
	moreCPU   = 0.03
	moreBytes = 0.05
	// already is the share that the two lines take in the older version, too.
	already = 0.10
)

// version builds a version of the service, whose lines hash and allocate so much.
func version(ctx context.Context, source, file string, rounds, space float64) (c cost, err error) {
	flags := fmt.Sprintf("-ldflags=-X main.rounds=%.0f -X main.space=%.0f", rounds, space)
	if err := program.Outside(source).Build(ctx, file, flags, "."); err != nil {
		return c, err
	}
	return program.OutputJSON[cost](ctx, program.In{}, nil, file, "-calibrate")
}

// versions builds both versions.
func versions(ctx context.Context, dir string) (files [2]string, older, newer cost, err error) {
	source := filepath.Join(dir, "source")
	if err := data.Unpack("serveversions/target.txtar", source); err != nil {
		return files, older, newer, err
	}
	files = [2]string{filepath.Join(dir, "v1.exe"), filepath.Join(dir, "v2.exe")}
	plain, err := version(ctx, source, files[0], 0, 0)
	if err != nil {
		return files, older, newer, err
	}
	seconds, bytes := plain.Seconds/(1-already), plain.Bytes/(1-already)
	rounds, space := already*seconds/plain.Round, already*bytes
	if older, err = version(ctx, source, files[0], rounds, space); err != nil {
		return files, older, newer, err
	}
	newer, err = version(ctx, source, files[1], rounds+moreCPU*seconds/plain.Round, space+moreBytes*bytes)
	return files, older, newer, err
}

func (s *settings) do(ctx context.Context, dir string) error {
	tool, err := program.Heapwright(ctx, s.heapwright, dir)
	if err != nil {
		return err
	}
	files, older, newer, err := versions(ctx, dir)
	if err != nil {
		return err
	}
	m := &measurement{settings: s, Older: older, Newer: newer, reported: map[string]time.Duration{}}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	receiver, err := m.receive(ctx)
	if err != nil {
		return err
	}
	fleet, err := s.fleet(dir, files, older.Seconds)
	if err != nil {
		return err
	}
	if err := fleet.start(ctx, 0); err != nil {
		return err
	}
	kept := cmp.Or(s.kept, filepath.Join(dir, "kept"))
	serving, err := program.StartServe(ctx, tool, "-file-sd", fleet.list, "-webhooks", receiver, "-o", kept,
		"-cpu-every", s.Every.String(), "-cpu-duration", s.Record.String())
	if err != nil {
		return err
	}
	// The newer version is the one that is seen first later. Every process has profiles by then.
	if err := program.Sleep(ctx, 2*s.Every); err != nil {
		return err
	}
	m.began = time.Now()
	if err := fleet.start(ctx, 1); err != nil {
		return err
	}
	err = errors.Join(m.watch(ctx, serving.URL), serving.Stop())
	if err != nil {
		return err
	}
	m.Serve = program.CPU(serving.State())
	stop()
	m.used = fleet.wait()
	if m.Records, err = look(context.WithoutCancel(ctx), kept); err != nil {
		return err
	}
	_, err = fmt.Print(m.page())
	return err
}
