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
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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
	t := table{marks: map[string]page.Mark{}}
	for _, u := range users() {
		if !only.MatchString(u.name) {
			continue
		}
		if !s.Again {
			if err := s.tune(ctx, u); err != nil {
				return fmt.Errorf("%s: %w", u.name, err)
			}
		}
		first, err := read(s.Out, u)
		if errors.Is(err, os.ErrNotExist) {
			continue // not run
		}
		if err != nil {
			return err
		}
		mended, err := read(s.mended, u)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		t.add(u, first, mended)
	}
	fmt.Print(t.page())
	return nil
}

// tune writes a program and runs the command as a user does.
func (s *settings) tune(ctx context.Context, u *user) error {
	dir := filepath.Join(s.Out, u.name)
	in := program.Outside(filepath.Join(dir, "app"))
	err := os.MkdirAll(in.Dir, 0o777)
	for _, f := range u.files {
		err = cmp.Or(err, os.WriteFile(filepath.Join(in.Dir, f.Name), f.Data, 0o666))
	}
	mod := fmt.Sprintf("module example.org/%s\n\ngo 1.26\n\nrequire %s %s\n", u.name, u.module, u.from)
	if err = cmp.Or(err, os.WriteFile(filepath.Join(in.Dir, "go.mod"), []byte(mod), 0o666)); err != nil {
		return err
	}
	if err := in.Run(ctx, "go", "mod", "tidy"); err != nil {
		return err
	}
	if err := in.Run(ctx, "go", "test", "."); err != nil {
		return err
	}
	if err := in.Run(ctx, s.Tool, "tune", "-budget", s.budget.String(), "-o", dir, "."); err != nil {
		return err
	}
	mark, err := json.Marshal(page.Now())
	return cmp.Or(err, os.WriteFile(filepath.Join(dir, "mark.json"), mark, 0o666))
}

// answer is an answer and the commit that gave it.
type answer struct {
	*tune.Document
	mark page.Mark
}

func read(dir string, u *user) (*answer, error) {
	d, err := program.ReadJSON[tune.Document](filepath.Join(dir, u.name, "tune.json"))
	if err != nil {
		return nil, err
	}
	mark, err := program.ReadJSON[page.Mark](filepath.Join(dir, u.name, "mark.json"))
	return &answer{&d, mark}, err
}
