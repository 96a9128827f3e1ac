// Servefleet lets heapwright serve watch many targets that answer real profiles of ten
// programs, and measures its misses, CPU time, memory and disk. With the address of a Pyroscope
// it lets serve forward the same load to that, and measures both.
//
//	go -C bench run ./servefleet > docs/results/servefleet.md
//	go -C bench run ./servefleet -pyroscope http://127.0.0.1:4040 -dir /data/shared
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	Targets    int
	Duration   time.Duration
	heapwright string
	profiles   string // the folder of the profiles to answer; "" starts the measurement
	recorded   string // the folder of profiles that were recorded before
	pyroscope  pyroscope
}

func main() {
	var s settings
	flag.IntVar(&s.Targets, "targets", 500, "answer as so many processes")
	flag.DurationVar(&s.Duration, "duration", 10*time.Minute, "of the measurement")
	flag.StringVar(&s.heapwright, "tool", "", "measure the heapwright in `FILE`, not the one of this checkout")
	flag.StringVar(&s.profiles, "answer", "",
		"answer with the profiles in `DIR`: for the process that this program starts itself")
	flag.StringVar(&s.recorded, "recorded", "", "answer with the profiles that are in `DIR`, or record them there")
	flag.StringVar(&s.pyroscope.url, "pyroscope", "",
		"forward the same load to the Pyroscope at `URL`, too, which runs on this machine")
	flag.StringVar(&s.pyroscope.dir, "dir", "", "the folder of the objects of the Pyroscope is `DIR`")
	program.Main(program.InScratch(s.do))
}

func (s *settings) do(ctx context.Context, dir string) error {
	if s.profiles != "" {
		return s.answer(ctx)
	}
	tool, err := program.Heapwright(ctx, s.heapwright, dir)
	if err != nil {
		return err
	}
	profiles := cmp.Or(s.recorded, filepath.Join(dir, "profiles"))
	if err := record(ctx, profiles); err != nil {
		return err
	}
	m := measurement{settings: s}
	kept := filepath.Join(dir, "kept")
	if m.Serve, m.Answering, err = s.watch(ctx, tool, dir, profiles, "-o", kept); err != nil {
		return err
	}
	if err := m.look(ctx, kept); err != nil {
		return err
	}
	if s.pyroscope.url != "" {
		if err := s.pyroscope.watch(ctx, &m, func() (err error) {
			m.Forwarder, _, err = s.watch(ctx, tool, dir, profiles,
				"-o", filepath.Join(dir, "forwarded"), "-from", "pyroscope="+s.pyroscope.url)
			return err
		}); err != nil {
			return err
		}
	}
	_, err = fmt.Print(m.page())
	return err
}

// watch runs the targets and serve, each in a process of its own.
func (s *settings) watch(
	ctx context.Context, tool, dir, profiles string, flags ...string,
) (serve, targets usage, err error) {
	self, err := os.Executable()
	if err != nil {
		return serve, targets, err
	}
	address, err := program.FreeAddr()
	if err != nil {
		return serve, targets, err
	}
	answering := program.In{Env: []string{"ADDRESS=" + address}}.Command(ctx, self, "-answer", profiles)
	if err := answering.Start(); err != nil {
		return serve, targets, err
	}
	var groups []program.Targets
	for i := range s.Targets {
		groups = append(groups, program.Targets{URLs: []string{fmt.Sprintf("http://%s/%d", address, i)},
			Labels: map[string]string{"job": fmt.Sprintf("service%d", i%10), "instance": fmt.Sprint(i), "version": "v1"}})
	}
	file := filepath.Join(dir, "targets.json")
	if err := program.WriteJSON(file, groups); err != nil {
		return serve, targets, err
	}
	command := slices.Concat([]string{tool, "serve", "-config=none", "-listen=127.0.0.1:0",
		"-file-sd", file, "-for", s.Duration.String()}, flags)
	serving := program.In{Env: []string{"GOMAXPROCS=2"}}.Command(ctx, command...)
	if err := serving.Run(); err != nil {
		return serve, targets, fmt.Errorf("heapwright serve: %w", err)
	}
	if err := answering.Process.Signal(os.Interrupt); err != nil {
		return serve, targets, err
	}
	if err := answering.Wait(); err != nil {
		return serve, targets, fmt.Errorf("the targets: %w", err)
	}
	return used(serving.ProcessState), used(answering.ProcessState), nil
}

func used(p *os.ProcessState) usage { return usage{program.CPU(p), program.PeakRSS(p)} }

// answer answers as all targets until it is interrupted.
func (s *settings) answer(ctx context.Context) error {
	all, err := readVariants(s.profiles)
	if err != nil {
		return err
	}
	server := &http.Server{Addr: os.Getenv("ADDRESS"), Handler: all.handler()}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		return err
	}
	return nil
}
