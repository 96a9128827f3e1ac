package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
)

// file is a file that somebody gives to heapwright diagnose. It is fetched from the
// program, or has a text. If it is Readable, it may be read. If it is not read, the error
// must match Refused.
type file struct {
	Get, Text string
	Before    string // is put before the contents
	Cut       int    // drops what follows after so many bytes
	With      string // is fetched too, as a second and good file
	Readable  bool
	Refused   pattern
}

// askFiles has heapwright read each file of a case, from the service at addr.
func (s *settings) askFiles(ctx context.Context, c *report, addr, out string) (answer, error) {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return answer{}, err
	}
	good := 0
	var a answer
	for i, f := range c.Truth.File {
		args := []string{s.Tool, "diagnose", "-o", filepath.Join(out, fmt.Sprint(i))}
		contents, err := f.contents(ctx, addr)
		if err != nil {
			return answer{}, err
		}
		name := filepath.Join(out, fmt.Sprintf("%d.out", i))
		if err := os.WriteFile(name, contents, 0o666); err != nil {
			return answer{}, err
		}
		args = append(args, name)
		if f.With != "" {
			with, err := program.Get(ctx, "http://"+addr+f.With)
			if err != nil {
				return answer{}, err
			}
			if err := os.WriteFile(name+".with", with, 0o666); err != nil {
				return answer{}, err
			}
			args = append(args, name+".with")
		}
		cmd := c.in.Command(ctx, args...)
		cmd.Stderr = nil
		said, err := cmd.CombinedOutput()
		line := strings.TrimSpace(string(said))
		switch {
		case strings.Contains(line, "goroutine 1 [running]"):
			line = "crashed"
		case err == nil && f.Readable:
			good++
			continue
		case err == nil:
			line = "was read"
		case f.Refused.in(line):
			good++
			continue
		}
		a.Lines = append(a.Lines, fmt.Sprintf("%s: %s", f, cell(line)))
	}
	switch all := len(c.Truth.File); {
	case good == all:
		a.Verdict = right
	case 2*good >= all:
		a.Verdict, a.why = partly, fmt.Sprintf("%d of %d files", good, all)
	default:
		a.Verdict, a.why = wrong, fmt.Sprintf("%d of %d files", good, all)
	}
	return a, nil
}

func (f file) String() string {
	name := cmp.Or(f.Get, strconv.Quote(f.Text))
	if f.Before != "" {
		name += " behind a header"
	}
	return name
}

func (f file) contents(ctx context.Context, addr string) (text []byte, err error) {
	text = []byte(f.Text)
	if f.Get != "" {
		if text, err = program.Get(ctx, "http://"+addr+f.Get); err != nil {
			return nil, err
		}
	}
	text = append([]byte(f.Before), text...)
	if f.Cut > 0 {
		text = headOf(text, f.Cut)
	}
	return text, nil
}
