// Serve measures the store of heapwright serve with real heap profiles of a generated
// program: the bytes on disk, the cost of adding profiles up beside go tool pprof, and the
// time of the queries that pages ask.
//
//	go -C bench run ./serve > docs/results/serve.md
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/bench/internal/program"
)

type settings struct {
	profiles int
	runs     int
	corpus   string
	work     string // the task of a process of its own; "" starts such processes
	store    string // the folder of its store
}

func main() {
	var s settings
	flag.IntVar(&s.profiles, "profiles", 200, "take so many profiles of the generated program")
	flag.IntVar(&s.runs, "runs", 5, "of each query; the page has medians")
	flag.StringVar(&s.corpus, "dir", "", "use the profiles in `DIR`, of go run ./internal/profile/corpus")
	flag.StringVar(&s.work, "work", "", "do `WORK` and print its figures: "+
		"for processes that this program starts itself")
	flag.StringVar(&s.store, "store", "", "the `DIR` of -work")
	program.Main(program.InScratch(s.do))
}

func (s *settings) do(ctx context.Context, dir string) error {
	if s.work != "" {
		return s.worker(ctx)
	}
	if s.corpus == "" {
		s.corpus = filepath.Join(dir, "corpus")
		if err := (program.In{}).Run(ctx, "go", "run", "github.com/heapwright/heapwright/internal/profile/corpus",
			"-out", s.corpus, "-profiles", fmt.Sprint(s.profiles)); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(s.corpus, "*.pb.gz"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has no profiles; make some with go run ./internal/profile/corpus -out DIR", s.corpus)
	}
	m := measurement{Profiles: len(files)}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		m.Packed += info.Size()
	}
	for _, step := range []struct {
		work string
		to   any
	}{{"append", &m.Append}, {"sum", &m.Sum}, {"fill", &m.Fill}, {"ask", &m.Ask}} {
		store := filepath.Join(dir, "of-corpus")
		if step.work == "fill" || step.work == "ask" {
			store = filepath.Join(dir, "of-a-day")
		}
		if err := s.start(ctx, step.work, store, step.to); err != nil {
			return err
		}
	}
	if m.Pprof, err = pprofSum(ctx, dir, files); err != nil {
		return err
	}
	_, err = fmt.Print(m.page())
	return err
}

// start does some work in a process of its own, and reads the figures that it prints.
func (s *settings) start(ctx context.Context, work, store string, to any) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(store, 0o777); err != nil {
		return err
	}
	cmd := program.In{}.Command(ctx, self, "-work", work, "-store", store,
		"-dir", s.corpus, "-runs", fmt.Sprint(s.runs))
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", work, err)
	}
	if err := json.Unmarshal(out, to); err != nil {
		return fmt.Errorf("%s: %w", work, err)
	}
	if of, ok := to.(interface{ ended(*os.ProcessState) }); ok {
		of.ended(cmd.ProcessState)
	}
	fmt.Fprintf(os.Stderr, "%s: %.1f s of CPU\n", work, program.CPU(cmd.ProcessState))
	return nil
}

// pprofSum adds the files up with go tool pprof. It is built first: running it through the
// go command would measure that too.
func pprofSum(ctx context.Context, dir string, files []string) (p process, err error) {
	tool := filepath.Join(dir, "pprof.exe")
	if err := (program.In{}).Build(ctx, tool, "cmd/pprof"); err != nil {
		return p, err
	}
	cmd := program.In{}.Command(ctx, append([]string{tool, "-symbolize=none", "-proto",
		"-output", filepath.Join(dir, "sum.pb.gz")}, files...)...)
	cmd.Stderr = nil // it says where it writes
	if err := cmd.Run(); err != nil {
		return p, fmt.Errorf("go tool pprof: %w", err)
	}
	p.ended(cmd.ProcessState)
	return p, nil
}
