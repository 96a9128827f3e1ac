// Package survey asks heapwright about public modules and other programs. Modules that are
// listed in a TOML table are asked about one after the other.
//
// The stance: answers are kept with their commits. So a page can be written again, or
// judged anew, without a run, and names the commit of each of its rows.
package survey

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/bench/internal/fetch"
	"github.com/heapwright/heapwright/bench/internal/page"
	"github.com/heapwright/heapwright/bench/internal/program"
)

// Survey holds the flags of a program that asks heapwright about modules or programs.
type Survey struct {
	Out, Tool string // set by Begin: absolute, and built
	Again     bool
	only      string
}

// Flags defines the flags of a program that keeps answers in a folder.
func Flags(out string) *Survey {
	var s Survey
	flag.StringVar(&s.only, "only", "", "only those whose name matches `REGEXP`")
	flag.StringVar(&s.Out, "o", out, "keep modules and answers in `DIR`")
	flag.StringVar(&s.Tool, "tool", "", "use this `FILE` of heapwright instead of building it")
	flag.BoolVar(&s.Again, "again", false, "run nothing: read the answers that an earlier run kept")
	return &s
}

// Answer stands beside the documents that a run of heapwright on a module leaves.
type Answer struct {
	Mark page.Mark
	Took time.Duration
}

// Begin makes the folder and builds heapwright, unless earlier answers are to be read. It
// returns the expression of the names that are asked for.
func (s *Survey) Begin(ctx context.Context) (only *regexp.Regexp, err error) {
	if only, err = regexp.Compile(s.only); err != nil {
		return nil, err
	}
	if s.Out, err = filepath.Abs(s.Out); err != nil || s.Again {
		return only, err
	}
	if err := os.MkdirAll(s.Out, 0o777); err != nil {
		return nil, err
	}
	s.Tool, err = program.Heapwright(ctx, s.Tool, s.Out)
	return only, err
}

// Each calls ask for the modules of a table in their order. With -again it passes over
// those that have no answer.
func Each[Module any](ctx context.Context, s *Survey, table string, ask func(name string, m *Module) error) error {
	var all map[string]*Module
	names, err := toml.Decode(table, &all)
	if err != nil {
		return err
	}
	only, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	for _, key := range names.Keys() {
		if len(key) > 1 || !only.MatchString(key[0]) {
			continue
		}
		err := ask(key[0], all[key[0]])
		switch {
		case s.Again && errors.Is(err, fs.ErrNotExist):
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%s: %w", key[0], err)
		}
	}
	return nil
}

// Ask runs a command of heapwright on a public module, unless an earlier answer is to be
// read. It returns the answer, and the document that the command left.
func Ask[Document any](ctx context.Context, s *Survey, name, module, command string, args ...string) (
	a Answer, d Document, err error,
) {
	made := func(dir string) error { return fetch.Module(ctx, module, dir) }
	return AskIn[Document](ctx, s, name, made, command, args...)
}

// AskIn is Ask for a module that a function makes in a folder. In the command's arguments,
// {dir} is the folder of all modules' copies.
func AskIn[Document any](
	ctx context.Context, s *Survey, name string, made func(dir string) error, command string, args ...string,
) (a Answer, d Document, err error) {
	dir := filepath.Join(s.Out, name)
	kept := filepath.Join(dir, "kept.json")
	if !s.Again {
		copied := filepath.Join(dir, "module")
		if err := made(copied); err != nil {
			return a, d, err
		}
		all := []string{s.Tool, command, "-C", copied, "-o", dir}
		for _, arg := range args {
			all = append(all, strings.ReplaceAll(arg, "{dir}", s.Out))
		}
		start := time.Now()
		if err := program.Outside("").Run(ctx, all...); err != nil {
			return a, d, err
		}
		if err := program.WriteJSON(kept, Answer{page.Now(), time.Since(start)}); err != nil {
			return a, d, err
		}
	}
	if a, err = program.ReadJSON[Answer](kept); err != nil {
		return a, d, err
	}
	d, err = program.ReadJSON[Document](filepath.Join(dir, command+".json"))
	return a, d, err
}
