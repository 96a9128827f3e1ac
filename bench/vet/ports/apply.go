package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/bench/internal/program"
)

const arenaPath = "github.com/heapwright/heapwright/arena"

// apply turns the module in dir into the port. It uses the arena module of the checkout.
func (p *Port) apply(ctx context.Context, dir, checkout string) error {
	for _, m := range p.Moves {
		if err := m.apply(dir); err != nil {
			return err
		}
	}
	for _, s := range p.Swaps {
		if err := s.apply(dir); err != nil {
			return err
		}
	}
	for _, e := range p.Edits {
		if err := e.Apply(dir); err != nil {
			return err
		}
	}
	for _, f := range p.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return err
		}
	}
	return errors.Join(
		// Older modules keep their GODEBUG settings, such as panicnil, which a newer go line would change.
		program.Outside(dir).Run(ctx, "go", "mod", "edit", "-go=1.26", "-godebug=default=go1.20",
			"-require="+arenaPath+"@v0.1.0", "-replace="+arenaPath+"="+filepath.Join(checkout, "arena")),
		program.Outside(dir).Run(ctx, "go", "mod", "tidy"))
}

// apply rewrites the literals of a file.
func (m Move) apply(dir string) error {
	name := filepath.Join(dir, m.File)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, t := range m.Types {
		literal, n := []byte("&"+t+"{"), 0
		for i := bytes.Index(text, literal); i >= 0; i = bytes.Index(text, literal) {
			end := closing(text, i+len(literal))
			if end < 0 {
				return fmt.Errorf("%s: %s has no end", m.File, literal)
			}
			text = slices.Concat(text[:i], []byte(m.Call), text[i+1:end+1], []byte(")"), text[end+1:])
			n++
		}
		if n == 0 {
			return fmt.Errorf("%s: no %s", m.File, literal)
		}
	}
	return os.WriteFile(name, text, 0o666)
}

// closing returns the index of the brace that ends a literal, or -1. It need not look for
// braces in strings, because no literal of the ports has any.
func closing(text []byte, from int) int {
	for i, depth := from, 1; i < len(text); i++ {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// apply replaces the word.
func (s Swap) apply(dir string) error {
	name := filepath.Join(dir, s.File)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte(s.Old)) {
		return fmt.Errorf("%s: no %q", s.File, s.Old)
	}
	return os.WriteFile(name, bytes.ReplaceAll(text, []byte(s.Old), []byte(s.New)), 0o666)
}
