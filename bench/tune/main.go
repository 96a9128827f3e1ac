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
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"
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
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	short, err := s.run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
	}
	if err != nil || short {
		os.Exit(1)
	}
}

// run tunes the programs and shows the table, even if it is interrupted. short
// reports that too few answers were right.
func (s *settings) run(ctx context.Context) (short bool, err error) {
	if s.tool == "" {
		dir, err := os.MkdirTemp("", "heapwright-bench")
		if err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
		s.tool = filepath.Join(dir, "heapwright.exe")
		build := exec.CommandContext(ctx, "go", "build", "-o", s.tool, "github.com/heapwright/heapwright/cmd/heapwright")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return false, fmt.Errorf("building heapwright: %w", err)
		}
	}
	rows := map[string]*row{}
	defer func() { short = show(rows) }()
	for i := range s.runs {
		for _, p := range programs {
			if s.only != "" && s.only != p.name {
				continue
			}
			if rows[p.name] == nil {
				rows[p.name] = &row{program: p}
			}
			a, err := s.tune(ctx, p, filepath.Join(s.out, fmt.Sprintf("%s-%03d", p.name, i+1)))
			if err != nil {
				return false, err
			}
			why := p.right(a)
			rows[p.name].add(why)
			verdict := "right"
			if why != "" {
				verdict = "wrong, " + why
			}
			fmt.Fprintf(os.Stderr, "%s, run %d of %d: %s\n    %s\n", p.name, i+1, s.runs, verdict, a.Answer)
		}
	}
	if len(rows) == 0 {
		return false, fmt.Errorf("there is no program %q", s.only)
	}
	return short, nil
}

// tune runs the command as a user does.
func (s *settings) tune(ctx context.Context, p program, dir string) (answer, error) {
	args := append([]string{"tune", "-budget", s.budget.String(), "-o", dir}, p.flags...)
	cmd := exec.CommandContext(ctx, s.tool, append(args, "./tune/programs/"+p.name)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if out, err := cmd.CombinedOutput(); err != nil {
		return answer{}, fmt.Errorf("%s: %w\n%s", p.name, err, out)
	}
	return readAnswer(filepath.Join(dir, "tune.json"))
}
