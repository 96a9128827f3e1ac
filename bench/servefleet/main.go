// Servefleet lets heapwright serve watch many targets that answer real profiles of ten
// programs, and measures its misses, CPU time, memory and disk.
//
//	go -C bench run ./servefleet > docs/results/servefleet.md
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	targets    int
	duration   time.Duration
	heapwright string
	profiles   string // the folder of the profiles to answer; "" starts the measurement
}

func main() {
	var s settings
	flag.IntVar(&s.targets, "targets", 500, "answer as so many processes")
	flag.DurationVar(&s.duration, "duration", 10*time.Minute, "of the measurement")
	flag.StringVar(&s.heapwright, "tool", "", "measure the heapwright in `FILE`, not the one of this checkout")
	flag.StringVar(&s.profiles, "answer", "",
		"answer with the profiles in `DIR`: for the process that this program starts itself")
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
	profiles := filepath.Join(dir, "profiles")
	if err := record(ctx, profiles); err != nil {
		return err
	}
	m := measurement{settings: s}
	if err := s.watch(ctx, tool, dir, profiles, &m); err != nil {
		return err
	}
	if err := m.look(ctx, filepath.Join(dir, "kept")); err != nil {
		return err
	}
	return m.write(os.Stdout)
}

// watch runs the targets and serve, each in a process of its own.
func (s *settings) watch(ctx context.Context, tool, dir, profiles string, m *measurement) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	address, err := program.FreeAddr()
	if err != nil {
		return err
	}
	targets := program.In{Env: []string{"ADDRESS=" + address}}.Command(ctx, self, "-answer", profiles)
	if err := targets.Start(); err != nil {
		return err
	}
	type group struct {
		Targets []string          `json:"targets"`
		Labels  map[string]string `json:"labels"`
	}
	var groups []group
	for i := range s.targets {
		groups = append(groups, group{[]string{fmt.Sprintf("http://%s/%d", address, i)},
			map[string]string{"job": fmt.Sprintf("service%d", i%10), "instance": fmt.Sprint(i), "version": "v1"}})
	}
	list, err := json.Marshal(groups)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "targets.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		return err
	}
	serve := program.In{Env: []string{"GOMAXPROCS=2"}}.Command(ctx, tool, "serve", "-config=none",
		"-listen=127.0.0.1:0", "-file-sd", file, "-o", filepath.Join(dir, "kept"), "-for", s.duration.String())
	if err := serve.Run(); err != nil {
		return fmt.Errorf("heapwright serve: %w", err)
	}
	if err := targets.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if err := targets.Wait(); err != nil {
		return fmt.Errorf("the targets: %w", err)
	}
	m.serve.cpu, m.serve.rss = program.CPU(serve.ProcessState), program.PeakRSS(serve.ProcessState)
	m.targets.cpu, m.targets.rss = program.CPU(targets.ProcessState), program.PeakRSS(targets.ProcessState)
	return nil
}

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
