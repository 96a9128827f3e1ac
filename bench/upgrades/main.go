// Upgrades asks whether heapwright tune proposes the upgrade of a library that has been
// mended, and none where a newer version changes nothing. It prints
// docs/results/upgrades.md.
//
//	go -C bench run ./upgrades > docs/results/upgrades.md
//
// After a mend in heapwright, some programs are tuned again into another folder, and the
// page shows both answers:
//
//	go -C bench run ./upgrades -only NAME -o DIR
//	go -C bench run ./upgrades -again -mended DIR > docs/results/upgrades.md
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/survey"
	"github.com/heapwright/heapwright/internal/tune"
)

//go:embed programs.txtar
var files embed.FS

// user is a program that uses a library, with the known facts of the library's releases.
type user struct {
	name, module, from string
	release            string // the release that cut allocations, or "none"
	why                string
	files              []txtar.File
}

type settings struct {
	*survey.Survey
	mended string
	budget time.Duration
}

func main() {
	s := settings{Survey: survey.Flags("../heapwright-out/upgrades")}
	flag.StringVar(&s.mended, "mended", "", "show also the later answers of `DIR`")
	flag.DurationVar(&s.budget, "budget", 90*time.Second, "of one tuning")
	program.Main(s.run)
}

// users returns the programs of the archive.
func users() (all []*user) {
	archive := data.Archive(files, "programs.txtar")
	for _, row := range data.Table(archive.Files[0].Data) {
		u := &user{name: row[0], module: row[1], from: row[2], release: row[3], why: row[4]}
		for _, f := range archive.Files {
			if name, ok := strings.CutPrefix(f.Name, u.name+"/"); ok {
				u.files = append(u.files, txtar.File{Name: name, Data: f.Data})
			}
		}
		all = append(all, u)
	}
	return all
}

func (s *settings) run(ctx context.Context) error {
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	later := &survey.Survey{Out: s.mended, Again: true}
	t := table{marks: map[string]page.Mark{}}
	for _, u := range users() {
		if !only.MatchString(u.name) {
			continue
		}
		first, err := u.ask(ctx, s.Survey, s.budget)
		if errors.Is(err, os.ErrNotExist) {
			continue // not run
		}
		if err != nil {
			return fmt.Errorf("%s: %w", u.name, err)
		}
		mended, err := u.ask(ctx, later, s.budget)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		t.add(u, first, mended)
	}
	fmt.Print(t.page())
	return nil
}

// answer is an answer and the commit that gave it.
type answer struct {
	*tune.Document
	mark page.Mark
}

// ask runs tune on the program as a user does, or reads an earlier answer.
func (u *user) ask(ctx context.Context, s *survey.Survey, budget time.Duration) (*answer, error) {
	written := func(dir string) error { return u.write(ctx, program.Outside(dir)) }
	a, d, err := survey.AskIn[tune.Document](ctx, s, u.name, written, "tune", "-budget", budget.String(), ".")
	if err != nil {
		return nil, err
	}
	return &answer{&d, a.Mark}, nil
}

// write writes the program, and runs its test.
func (u *user) write(ctx context.Context, in program.In) error {
	mod := fmt.Sprintf("module example.org/%s\n\ngo 1.26\n\nrequire %s %s\n", u.name, u.module, u.from)
	files := append(u.files, txtar.File{Name: "go.mod", Data: []byte(mod)})
	if err := data.Write(files, in.Dir); err != nil {
		return err
	}
	if err := in.Run(ctx, "go", "mod", "tidy"); err != nil {
		return err
	}
	return in.Run(ctx, "go", "test", ".")
}
