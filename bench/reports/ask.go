package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// report is a program that reproduces a report.
type report struct {
	Name    string
	in      program.In // the folder
	file    string     // the binary
	Truth   *truth
	foreign bool
	Answers []answer
}

// build builds the program, unless its benchmarks are asked about or nothing is.
func (c *report) build(ctx context.Context, bin string, again bool) error {
	if again || c.Truth.How == "bench" {
		return nil
	}
	c.file = filepath.Join(bin, c.Name+".exe")
	return c.in.Build(ctx, c.file, ".")
}

// ask runs heapwright on a program and judges its answer, which it keeps in answer.txt.
// With -again it judges the answer that is kept there.
func (s *settings) ask(ctx context.Context, c *report, out string) (answer, error) {
	kept := filepath.Join(out, "answer.txt")
	if s.Again {
		text, err := os.ReadFile(kept)
		return s.judge(c, text), err
	}
	if err := os.RemoveAll(out); err != nil { // another run's profiles are of another process
		return answer{}, err
	}
	ctx, stop := context.WithTimeout(ctx, 4*time.Minute)
	defer stop()
	run := func(args ...string) (answer, error) {
		text, err := c.in.Output(ctx, nil, append([]string{s.Tool}, args...)...)
		if err != nil {
			return answer{}, err
		}
		return s.judge(c, text), os.WriteFile(kept, text, 0o666)
	}
	if c.Truth.How == "bench" {
		return run("diagnose", "-budget", s.budget.String(), "-o", out, ".")
	}
	addr, end, err := c.start(ctx)
	if err != nil {
		return answer{}, err
	}
	defer end()
	if err := program.Sleep(ctx, c.Truth.Warm); err != nil {
		return answer{}, err
	}
	switch c.Truth.How {
	case "url":
		return run("diagnose", "-duration", s.duration.String(), "-o", out, "http://"+addr)
	case "files":
		return s.askFiles(ctx, c, addr, out)
	case "trace":
		return run("trace", "-o", out, "http://"+addr)
	case "collect":
		part := s.duration / time.Duration(c.Truth.Times)
		for range c.Truth.Times {
			if _, err := run("collect", "-duration", part.String(), "-o", out, "http://"+addr); err != nil {
				return answer{}, err
			}
		}
		return run("diagnose", "-o", filepath.Join(out, "diagnosis"), out)
	}
	return answer{}, fmt.Errorf("truth.toml: %q is no way to ask", c.Truth.How)
}

// judge judges an answer. The page must not depend on where answers are kept.
func (s *settings) judge(c *report, text []byte) answer {
	return c.Truth.judge(strings.ReplaceAll(string(text), s.Out, "heapwright-out/reports"))
}

// start starts the program, after its peer if it has one. The func ends them.
func (c *report) start(ctx context.Context) (addr string, end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var running []*exec.Cmd
	end = func() {
		cancel()
		for _, cmd := range running {
			cmd.Wait()
		}
	}
	begin := func(args ...string) (string, error) {
		addr, err := program.FreeAddr()
		if err != nil {
			return "", err
		}
		cmd := c.in.With(c.Truth.Env...).Command(ctx, append([]string{c.file, "-addr", addr}, args...)...)
		cmd.Stderr = nil
		if err := cmd.Start(); err != nil {
			return "", err
		}
		running = append(running, cmd)
		return addr, program.Listens(ctx, addr)
	}
	peer := ""
	if len(c.Truth.Peer) > 0 {
		if peer, err = begin(c.Truth.Peer...); err != nil {
			end()
			return "", nil, fmt.Errorf("its peer: %w", err)
		}
	}
	var args []string
	for _, a := range c.Truth.Args {
		args = append(args, strings.ReplaceAll(a, "{peer}", peer))
	}
	if addr, err = begin(args...); err != nil {
		end()
		return "", nil, err
	}
	return addr, end, nil
}
