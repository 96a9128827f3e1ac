package truth

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Change is a finding's advice, carried out by hand in lines of our own.
type Change struct {
	Of    string // the module or release whose diagnosis advises it
	For   string // the findings' FILE:LINE or FILE:FIRST-LAST
	Rules string // the rules that it carries out there, separated by spaces; "" is all
	What  string // the change, for people
	Edits []Edit
	Tests []string // packages whose tests must pass; for an arena or a pool also with -race
	Race  bool
}

// Apply makes the change in a module.
func (c *Change) Apply(module string) error {
	for _, e := range c.Edits {
		if err := e.Apply(module); err != nil {
			return err
		}
	}
	return nil
}

// Edit replaces lines of a file.
type Edit struct {
	At    string // FILE:LINE or FILE:FIRST-LAST; FILE:LINE+ is the place behind a line
	Lines string // our own; "" takes them out
}

// Apply makes the edit in a module. The edits of a file go from its end to its
// beginning, so that line numbers stay as in the module.
func (e Edit) Apply(module string) error {
	at, behind := strings.CutSuffix(e.At, "+")
	name, from, to, err := Range(at)
	if err != nil {
		return err
	}
	if behind {
		from = to + 1
	}
	name = filepath.Join(module, name)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if to > len(lines) {
		return fmt.Errorf("%s has %d lines", e.At, len(lines))
	}
	var with [][]byte
	if e.Lines != "" {
		with = [][]byte{[]byte(e.Lines + "\n")}
	}
	return os.WriteFile(name, bytes.Join(slices.Replace(lines, from-1, to, with...), nil), 0o666)
}

// Check reports edits that cannot be made, or that move the lines of others.
func Check(edits []Edit) error {
	before := map[string]int{} // the first line of the edit before, by file
	for _, e := range edits {
		file, first, last, err := Range(strings.TrimSuffix(e.At, "+"))
		if err != nil {
			return err
		}
		if next := before[file]; next > 0 && last >= next {
			return fmt.Errorf("the edit at %s is not above the one before it", e.At)
		}
		before[file] = first
	}
	return nil
}
