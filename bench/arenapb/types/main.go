// Types compares arenapb with proto.Unmarshal on every generated type of public
// modules that were not written for it. It prints docs/results/arenapb-types.md.
//
//	go -C bench run ./arenapb/types > docs/results/arenapb-types.md
//
// The test that decodes is TestEveryType in arena/arenapb/arenapbtest. It runs in a copy
// of that module, which requires the public modules too. A run that is interrupted prints
// the types that were done. The exit status is 1 if the decoders differ.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
)

//go:embed modules.txt
var modulesText string

//go:embed large.txt
var largeText string

// modules are pinned modules with generated types. Some of dapr's are of a generator
// before 2020. large modules have a thousand types or more. They are left out of
// builds that compile every package again.
var modules, large = strings.Fields(modulesText), strings.Fields(largeText)

// A build is a way to build the tests and to run them.
type build struct {
	Name  string
	flags []string // flags of go test
	env   []string
	args  []string // arguments of the test
	once  bool     // one sample of each type suffices
	small bool     // without large modules
}

var builds = []build{
	{Name: "plain"},
	{Name: "plain, under constant collections and `GODEBUG=clobberfree=1`", env: []string{"GODEBUG=clobberfree=1"}, args: []string{"-collecting"}, once: true},
	{Name: "`-gcflags=github.com/heapwright/...=-d=checkptr`", flags: []string{"-gcflags=github.com/heapwright/...=-d=checkptr"}, once: true},
	{Name: "`-tags=protoopaque`", flags: []string{"-tags=protoopaque"}, once: true, small: true},
	{Name: "`-race`", flags: []string{"-race"}, once: true, small: true},
}

func main() {
	samples := flag.Int("samples", 2, "make `N` random messages of each type in the first build, and changed ones of these")
	seed := flag.Uint64("seed", 1, "of the messages")
	only := flag.String("only", "", "only modules whose path contains `TEXT`")
	program.Main(program.InScratch(func(ctx context.Context, dir string) error {
		for _, list := range []*[]string{&modules, &large} {
			*list = slices.DeleteFunc(*list, func(m string) bool { return !strings.Contains(m, *only) })
		}
		p := &results{}
		err := p.fill(ctx, dir, *samples, *seed)
		if len(p.Runs) > 0 {
			fmt.Print(p.page())
		}
		if err == nil && p.differences() > 0 {
			err = errors.New("arenapb differs from proto.Unmarshal")
		}
		return err
	}))
}

// fill runs the tests in all builds.
func (p *results) fill(ctx context.Context, dir string, samples int, seed uint64) error {
	tests, err := newTests(ctx, filepath.Join(dir, "arenapbtest"))
	if err != nil {
		return err
	}
	p.packages = tests.packages
	for _, b := range builds {
		n := samples
		if b.once {
			n = 1
		}
		r, err := tests.run(ctx, b, n, seed)
		if r != nil && len(r.Types) > 0 {
			p.Runs = append(p.Runs, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
