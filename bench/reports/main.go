// Reports asks heapwright about programs that reproduce public bug reports, as somebody
// with that problem would, and compares the first three findings with the right answer.
// It asks about clean services too, which must not be called leaks. It prints
// docs/results/reports.md.
//
//	go -C bench run ./reports > docs/results/reports.md
//
// The programs are in the archive own.txtar: a folder for each, with truth.toml, the
// answer that was written before heapwright ran. With -dir, the folders of another place,
// or of an archive such as reports/strangers.txtar, are cases too. Their truth may stand
// in the folder others instead.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
)

type settings struct {
	*survey.Survey
	jobs, clean int
	duration    time.Duration
	budget      time.Duration
	dir         string
}

func main() {
	s := settings{Survey: survey.Flags("../heapwright-out/reports")}
	flag.IntVar(&s.jobs, "jobs", 2, "ask about `N` programs at a time")
	flag.IntVar(&s.clean, "clean", 3, "ask about each clean service `N` times; 0 leaves them out")
	flag.DurationVar(&s.duration, "duration", 20*time.Second, "watch each service for this `TIME`")
	flag.DurationVar(&s.budget, "budget", 40*time.Second, "`TIME` for the benchmarks of a package")
	flag.StringVar(&s.dir, "dir", "", "ask about the programs in the folders of `DIR`, or of a txtar archive, too")
	program.Main(program.InScratch(s.run))
}

func (s *settings) run(ctx context.Context, bin string) error {
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	mark, err := s.mark()
	if err != nil {
		return err
	}
	all, err := s.cases("reports/own.txtar", only)
	if err != nil {
		return err
	}
	if s.dir != "" {
		foreign, err := s.cases(s.dir, only)
		if err != nil {
			return err
		}
		for _, c := range foreign {
			c.foreign = true
		}
		all = append(all, foreign...)
	}
	all = slices.DeleteFunc(all, func(c *report) bool { return s.times(c) <= 0 })
	if s.Again { // the answers about files are not kept
		all = slices.DeleteFunc(all, func(c *report) bool { return c.Truth.How == "files" })
	}
	for _, c := range all {
		if err := c.build(ctx, bin, s.Again); err != nil {
			return err
		}
	}
	s.each(ctx, all)
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err = fmt.Print(newResults(all).page(mark))
	return err
}

// mark returns the commit at which the answers are given, and keeps it beside them.
func (s *settings) mark() (page.Mark, error) {
	file := filepath.Join(s.Out, "commit.json")
	if s.Again {
		return program.ReadJSON[page.Mark](file)
	}
	m := page.Now()
	return m, program.WriteJSON(file, m)
}

// cases returns the cases in the folders of an archive or of a folder. An archive is
// unpacked beside the answers, so that its programs have the same paths in every run.
func (s *settings) cases(root string, only *regexp.Regexp) ([]*report, error) {
	if name, ok := strings.CutSuffix(root, ".txtar"); ok {
		archive := root
		root = filepath.Join(s.Out, "unpacked", filepath.Base(name))
		if err := errors.Join(os.RemoveAll(root), data.Unpack(archive, root)); err != nil {
			return nil, err
		}
	}
	folders, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	var all []*report
	for _, f := range folders {
		if !f.IsDir() || !only.MatchString(f.Name()) {
			continue
		}
		dir, err := filepath.Abs(filepath.Join(root, f.Name()))
		if err != nil {
			return nil, err
		}
		c := &report{Name: f.Name(), in: program.Outside(dir)}
		c.Truth, err = read(filepath.Join(dir, "truth.toml"), dir)
		if errors.Is(err, fs.ErrNotExist) {
			c.Truth, err = read(filepath.Join("reports", "others", f.Name()+".toml"), dir)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // a folder without a case
		case err != nil:
			return nil, err
		default:
			if c.Truth.Program != "" {
				c.in.Dir = filepath.Join(filepath.Dir(dir), c.Truth.Program)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// times returns how often a case is asked about.
func (s *settings) times(c *report) int {
	if c.Truth.Clean {
		return s.clean
	}
	return 1
}

// each asks about every case, some at a time. A clean service is asked about more than
// once.
func (s *settings) each(ctx context.Context, all []*report) {
	var asked errgroup.Group
	var mu sync.Mutex
	asked.SetLimit(s.jobs)
	for run := range max(s.clean, 1) {
		for _, c := range all {
			if run >= s.times(c) || ctx.Err() != nil {
				continue
			}
			asked.Go(func() error {
				out := filepath.Join(s.Out, fmt.Sprintf("%s-%d", c.Name, run+1))
				a, err := s.ask(ctx, c, out)
				if err != nil {
					a = answer{Verdict: wrong, why: strings.TrimSpace(err.Error())}
				}
				mu.Lock()
				defer mu.Unlock()
				c.Answers = append(c.Answers, a)
				fmt.Fprintf(os.Stderr, "%-16s %-7s %s\n", c.Name, a.Verdict, a.why)
				return nil // the page has the error
			})
		}
	}
	asked.Wait()
}
