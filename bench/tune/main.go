// Tune measures how often heapwright tune answers rightly. Each program below
// programs/ has an answer that is known to be best; tune is run on it again and
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

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/tune"
)

type settings struct {
	runs      int
	budget    time.Duration
	only, out string
	tool      string
}

// enough is the share of right answers that is asked for.
const enough = 0.9

func main() {
	var s settings
	flag.IntVar(&s.runs, "runs", 10, "tune each program `N` times")
	flag.DurationVar(&s.budget, "budget", 2*time.Minute, "of one tuning")
	flag.StringVar(&s.only, "only", "", "tune the program `NAME` alone")
	flag.StringVar(&s.out, "o", "../heapwright-out/tune", "keep all raw data in `DIR`")
	flag.StringVar(&s.tool, "tool", "", "run this heapwright `FILE` (default: build it)")
	program.Main(s.run)
}

// run tunes the programs and shows the table, even if it is interrupted. Too few right
// answers are an error.
func (s *settings) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "heapwright-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if s.tool, err = program.Heapwright(ctx, s.tool, dir); err != nil {
		return err
	}
	rows := map[string]*row{}
	err = s.fill(ctx, rows)
	if show(rows) && err == nil {
		err = errors.New("too few answers are right")
	}
	return err
}

func (s *settings) fill(ctx context.Context, rows map[string]*row) error {
	for i := range s.runs {
		for _, p := range programs {
			if s.only != "" && s.only != p.name {
				continue
			}
			if rows[p.name] == nil {
				rows[p.name] = &row{knownProgram: p, wrong: map[string]int{}}
			}
			a, err := s.tune(ctx, p, filepath.Join(s.out, fmt.Sprintf("%s-%03d", p.name, i+1)))
			if err != nil {
				return err
			}
			why := p.right(&a)
			rows[p.name].add(why)
			verdict := "right"
			if why != "" {
				verdict = "wrong, " + why
			}
			fmt.Fprintf(os.Stderr, "%s, run %d of %d: %s\n    %s\n", p.name, i+1, s.runs, verdict, a.Answer)
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("there is no program %q", s.only)
	}
	return nil
}

// tune runs the command as a user does.
func (s *settings) tune(ctx context.Context, p knownProgram, dir string) (tune.Document, error) {
	args := append([]string{s.tool, "tune", "-budget", s.budget.String(), "-o", dir}, p.flags...)
	if err := (program.In{}).Run(ctx, append(args, "./tune/programs/"+p.name)...); err != nil {
		return tune.Document{}, fmt.Errorf("%s: %w", p.name, err)
	}
	return program.ReadJSON[tune.Document](filepath.Join(dir, "tune.json"))
}
