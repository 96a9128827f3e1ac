// Corpus counts how many misuses of arenas and pools the checks find in corpora of small
// programs, and how many correct programs they report.
//
//	go -C bench run ./vet/corpus > docs/results/vet-corpus.md
//	go -C bench run ./vet/corpus -list
//
// A misuse counts as found if a check reports the line that its author marked with
// WRONG, or one of those marked with ALSO. In a correct program each report is false.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vetting"
)

// checks are the checks of arenas and pools.
var checks = []string{"arenause", "arenafree", "arenaescape", "arenashare", "poolput", "poolreset"}

type settings struct {
	tool, only, checkout string
	list                 bool
}

func main() {
	var s settings
	flag.StringVar(&s.tool, "tool", "", "run this heapwright `FILE` (default: build it)")
	flag.StringVar(&s.only, "corpus", "", "read the archives in `DIR` alone")
	flag.BoolVar(&s.list, "list", false, "list the misuses that are not found and the false reports")
	program.Main(s.run)
}

func (s *settings) run(ctx context.Context) (err error) {
	if s.checkout, err = filepath.Abs(".."); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if s.tool, err = program.Heapwright(ctx, s.tool, dir); err != nil {
		return err
	}
	if s.only != "" {
		_, err := s.measure(ctx, s.only, filepath.Join(dir, "corpus"))
		return err
	}
	if !s.list {
		const title = "The checks of arenas and pools on corpora of small programs"
		fmt.Print(page.Head("vet/corpus", "vet-corpus.md", title, about()))
	}
	var reported []*misuse
	for _, c := range corpora {
		if !s.list {
			fmt.Printf("## The %s corpus\n\n%s\n### Now\n\n", c.ordinal, c.first)
		}
		cases, err := s.measure(ctx, filepath.Join("vet", "testdata", c.folder), filepath.Join(dir, c.folder))
		if err != nil {
			return err
		}
		fmt.Println()
		for _, name := range slices.Sorted(maps.Keys(cases)) {
			if c := cases[name]; c.reported != "" && c.kind != "" {
				reported = append(reported, c)
			}
		}
	}
	if !s.list {
		writeReported(os.Stdout, reported)
	}
	return nil
}

// measure checks the programs of a corpus in a folder of their own, and prints the
// figures.
func (s *settings) measure(ctx context.Context, corpus, dir string) (map[string]*misuse, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	cases, err := s.unpack(ctx, corpus, dir)
	if err != nil {
		return nil, err
	}
	d, err := vetting.Vet(ctx, program.Outside(dir), s.tool, "-all", "./...")
	if err != nil {
		return nil, err
	}
	for _, f := range d.Failures {
		fmt.Println("not checked:", f.String())
	}
	for _, r := range d.Reports {
		if c := cases[strings.Split(filepath.ToSlash(r.File), "/")[0]]; c != nil && slices.Contains(checks, r.Check) {
			c.report(fmt.Sprintf("%s:%d", filepath.ToSlash(r.File), r.Line), r.Check+": "+r.Message)
		}
	}
	s.write(cases)
	return cases, nil
}

// unpack writes the programs of all archives into a module.
func (s *settings) unpack(ctx context.Context, corpus, dir string) (map[string]*misuse, error) {
	names, err := filepath.Glob(filepath.Join(corpus, "*.txtar"))
	if err != nil {
		return nil, err
	}
	cases := map[string]*misuse{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			return nil, err
		}
		for _, f := range archive.Files {
			folder, _, _ := strings.Cut(f.Name, "/")
			if cases[folder] == nil {
				cases[folder] = &misuse{name: folder}
			}
			cases[folder].read(f.Name, string(f.Data))
			to := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, f.Data, 0o666)); err != nil {
				return nil, err
			}
		}
	}
	return cases, s.module(ctx, dir)
}

// module makes the go.mod of the programs from arenagrpc's, which needs all that they
// need, with the arena modules of the checkout.
func (s *settings) module(ctx context.Context, dir string) error {
	arena := filepath.Join(s.checkout, "arena")
	for _, f := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(arena, "arenagrpc", f))
		if err != nil && f == "go.mod" {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f), text, 0o666); err != nil {
			return err
		}
	}
	mod := program.Outside(dir)
	edit := []string{"go", "mod", "edit", "-module=corpus"}
	for _, m := range []string{"", "/arenagrpc", "/arenajson", "/arenapb"} {
		path := "github.com/heapwright/heapwright/arena" + m
		edit = append(edit, "-require="+path+"@v0.1.0", "-replace="+path+"="+filepath.Join(arena, m))
	}
	if err := mod.Run(ctx, edit...); err != nil {
		return err
	}
	return mod.Run(ctx, "go", "mod", "tidy")
}
