// Tune measures how often heapwright tune answers rightly. Each program in the archive
// programs.txtar has an answer that is known to be best; tune is run on it again and
// again, and its tune.json is compared with that. It prints docs/results/tune.md.
//
//	go -C bench run ./tune -runs 10 -budget 90s > docs/results/tune.md
//
// The exit code is 1 if a program was answered rightly in fewer than nine of
// ten runs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/tune"
)

type settings struct {
	*survey.Survey
	runs   int
	budget time.Duration
	dir    string // the module of the programs
}

// enough is the share of right answers that is asked for.
const enough = 0.9

func main() {
	s := settings{Survey: survey.Flags("../heapwright-out/tune")}
	flag.IntVar(&s.runs, "runs", 10, "tune each program `N` times")
	flag.DurationVar(&s.budget, "budget", 2*time.Minute, "of one tuning")
	program.Main(program.InScratch(s.run))
}

// run tunes the programs and shows the table, even if it is interrupted. Too few right
// answers are an error.
func (s *settings) run(ctx context.Context, dir string) error {
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	s.dir = filepath.Join(dir, "programs")
	if err := data.Unpack("tune/programs.txtar", s.dir); err != nil {
		return err
	}
	programs, err := readPrograms(s.dir)
	if err != nil {
		return err
	}
	var rows []*row
	for _, p := range programs {
		if only.MatchString(p.name) {
			rows = append(rows, &row{knownProgram: p, wrong: map[string]int{}})
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("no program matches %v", only)
	}
	err = s.fill(ctx, rows)
	if show(rows) && err == nil {
		err = errors.New("too few answers are right")
	}
	return err
}

func (s *settings) fill(ctx context.Context, rows []*row) error {
	for i := range s.runs {
		for _, r := range rows {
			a, err := s.tune(ctx, r.knownProgram, filepath.Join(s.Out, fmt.Sprintf("%s-%03d", r.name, i+1)))
			if err != nil {
				return err
			}
			why := r.knownProgram.right(&a)
			r.add(why)
			verdict := "right"
			if why != "" {
				verdict = "wrong, " + why
			}
			fmt.Fprintf(os.Stderr, "%s, run %d of %d: %s\n    %s\n", r.name, i+1, s.runs, verdict, a.Answer)
		}
	}
	return nil
}

// tune runs the command as a user does, unless its earlier answer is to be read.
func (s *settings) tune(ctx context.Context, p *knownProgram, dir string) (tune.Document, error) {
	args := append([]string{s.Tool, "tune", "-budget", s.budget.String(), "-o", dir}, p.Args...)
	if !s.Again {
		if err := program.Outside(s.dir).Run(ctx, append(args, "./"+p.name)...); err != nil {
			return tune.Document{}, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return program.ReadJSON[tune.Document](filepath.Join(dir, "tune.json"))
}
