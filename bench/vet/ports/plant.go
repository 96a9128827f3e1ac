package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vetting"
	"github.com/heapwright/heapwright/internal/vet"
)

// plant plants a fault in a port and removes it again. It notes whether the check finds its line, and
// whether tests fail.
func (s *settings) plant(ctx context.Context, o *outcome, p *Plant, port string) (err error) {
	name := filepath.Join(port, p.File)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if strings.Count(string(text), p.Old) != 1 {
		return fmt.Errorf("%s: %s: %q is not once in the port", p.File, p.Fault, p.Old)
	}
	planted := strings.Replace(string(text), p.Old, p.New, 1) + "\n" + p.Declares + "\n"
	defer func() { err = errors.Join(err, os.WriteFile(name, text, 0o666)) }()
	if err := os.WriteFile(name, []byte(planted), 0o666); err != nil {
		return err
	}
	if strings.Count(planted, p.At) != 1 {
		return fmt.Errorf("%s: %s: %q is not the text of one line", p.File, p.Fault, p.At)
	}
	line := 1 + strings.Count(planted[:strings.Index(planted, p.At)], "\n")
	d, err := s.vet(ctx, port, "./"+filepath.ToSlash(filepath.Dir(p.File)))
	if err != nil {
		return fmt.Errorf("%s: %w", p.Fault, err)
	}
	found := false
	for _, r := range d.Reports {
		found = found || r.Check == p.Check && r.File == p.File && r.Line == line
	}
	fmt.Fprintf(os.Stderr, "%v %s:%d %s: %s\n", found, p.File, line, p.Check, p.Fault)
	o.Found = append(o.Found, found)
	return o.notice(ctx, port)
}

// vet runs the checks of arenas on packages. All of them have to compile.
func (s *settings) vet(ctx context.Context, dir string, packages ...string) (*vet.Document, error) {
	d, err := vetting.Vet(ctx, program.Outside(dir), s.tool, packages...)
	if err != nil {
		return nil, err
	}
	if len(d.Failures) > 0 {
		return nil, fmt.Errorf("not checked: %s", d.Failures[0].String())
	}
	return d, nil
}

// reports returns what the checks of arenas report, as text.
func (s *settings) reports(ctx context.Context, dir string, packages ...string) ([]string, error) {
	d, err := s.vet(ctx, dir, packages...)
	if err != nil {
		return nil, err
	}
	return reportsOf(d), nil
}

func reportsOf(d *vet.Document) (all []string) {
	for _, r := range d.Reports {
		if slices.Contains(checks, r.Check) {
			all = append(all, fmt.Sprintf("%s:%d: %s [%s]", r.File, r.Line, r.Message, r.Check))
		}
	}
	return all
}
