package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/internal/mode"
)

// experiment is a command that claims rest on. Releases before the module's own Go run
// the programs of workloads/claims/plain, which they can compile.
type experiment struct {
	name   string
	args   []string // arguments of heapwright
	budget time.Duration
}

var experiments = readExperiments()

func readExperiments() (all []experiment) {
	text, err := files.ReadFile("experiments.tsv")
	if err != nil {
		panic(err)
	}
	for _, row := range data.Table(text) {
		budget, err := time.ParseDuration(row[1])
		if err != nil {
			panic(err) // it is compiled in
		}
		all = append(all, experiment{row[0], strings.Fields(row[2]), budget})
	}
	return all
}

// command is the command of heapwright, for so long at most.
func (e experiment) command(budget time.Duration) []string {
	return slices.Concat(e.args[:1], []string{"-budget", budget.String()}, e.args[1:])
}

// modes are the modes that the experiment compares, the baseline first.
func (e experiment) modes() ([]mode.Mode, error) {
	if e.args[1] == "-modes-file" {
		return mode.Load(context.Background(), e.args[2])
	}
	return mode.Parse(e.args[2])
}

func named(name string) (experiment, bool) {
	for _, e := range experiments {
		if e.name == name {
			return e, true
		}
	}
	return experiment{}, false
}
