// Serveleak runs services in memory cgroups that they fill by a leak, each until the kernel
// kills it, and looks at the evidence that heapwright serve has kept by then. It needs Linux
// and the right to make a memory cgroup.
//
//	go -C bench run ./serveleak > docs/results/serveleak.md
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/gctune"
	"github.com/heapwright/heapwright/internal/cgroup"
)

type settings struct {
	Runs, Together int
	Limit          int64
	Share          float64
	heapwright     string
}

func main() {
	s := settings{Limit: 256 << 20}
	flag.IntVar(&s.Runs, "runs", 20, "run so many services")
	flag.IntVar(&s.Together, "together", 4, "run so many of them at the same time")
	flag.Func("limit", "of each service's memory: `SIZE` (default 256MiB)", func(text string) (err error) {
		s.Limit, err = gctune.ParseSize(text)
		return err
	})
	flag.Float64Var(&s.Share, "share", 0.02, "leak `SHARE` of the limit in a second")
	flag.StringVar(&s.heapwright, "tool", "", "measure the heapwright in `FILE`, not the one of this checkout")
	program.Main(program.InScratch(s.do))
}

// bench is all that the runs share.
type bench struct {
	*settings
	tool, target, dir string
	leak              data.Mark // the line that leaks
	serve             *program.Serve
}

func (s *settings) do(ctx context.Context, dir string) error {
	if err := cgroup.Available(); err != nil {
		return err
	}
	b := &bench{settings: s, dir: dir, target: filepath.Join(dir, "target.exe")}
	var err error
	if b.tool, err = program.Heapwright(ctx, s.heapwright, dir); err != nil {
		return err
	}
	source := filepath.Join(dir, "source")
	if err := data.Unpack("serveleak/target.txtar", source); err != nil {
		return err
	}
	if err := program.Outside(source).Build(ctx, b.target, "."); err != nil {
		return err
	}
	leaks, err := data.Marked(source, regexp.MustCompile(`// kept for ever`))
	if err != nil {
		return err
	}
	b.leak = leaks[0]
	lives, err := b.run(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Print(b.page(lives))
	return err
}

// run runs all services, a few at a time, while one serve watches all of them.
func (b *bench) run(ctx context.Context) ([]*life, error) {
	kept := filepath.Join(b.dir, "kept")
	flags := []string{"-o", kept}
	lives := make([]*life, b.Runs)
	for i := range lives {
		address, err := program.FreeAddr()
		if err != nil {
			return nil, err
		}
		lives[i] = &life{bench: b, service: fmt.Sprintf("sessions%d", i+1), address: address}
		flags = append(flags, fmt.Sprintf("%s=http://%s", lives[i].service, address))
	}
	var err error
	if b.serve, err = program.StartServe(ctx, b.tool, flags...); err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	errs := make(chan error, b.Runs)
	turns := make(chan struct{}, b.Together)
	for _, l := range lives {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			errs <- l.run(ctx)
			fmt.Fprintf(os.Stderr, "%s is dead\n", l.service)
		})
	}
	all.Wait()
	if err := b.serve.Stop(); err != nil {
		return nil, err
	}
	for range lives {
		if err := <-errs; err != nil {
			return nil, err
		}
	}
	return lives, look(ctx, kept, lives)
}
