package vet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// diagnostic is a report as go vet -json writes it.
type diagnostic struct {
	Category           string
	Posn, End, Message string
	Related            []struct{ Posn, End, Message string }
	SuggestedFixes     []struct {
		Message string
		Edits   []struct {
			Filename   string
			Start, End int
			New        string
		}
	} `json:"suggested_fixes"`
}

// read adds the output of go vet -json to the document: for each package, by
// check, an array of diagnostics or the error that ended the check. Up to Go 1.25
// the tool's output is among the go command's own messages.
func (d *Document) read(output string) error {
	objects, messages := split(output)
	for _, text := range objects {
		dec := json.NewDecoder(strings.NewReader(text))
		for {
			var packages map[string]map[string]json.RawMessage
			if err := dec.Decode(&packages); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return fmt.Errorf("reading the output of go vet: %w", err)
			}
			for pkg, checks := range packages {
				if d.roots != nil && !d.roots[pkg] {
					continue
				}
				pkg = strings.TrimSuffix(pkg, WithTests)
				for name, result := range checks {
					if err := d.add(pkg, name, result); err != nil {
						return fmt.Errorf("reading the output of go vet on %s: %w", pkg, err)
					}
				}
			}
		}
	}
	d.fail(messages)
	return nil
}

// split separates the JSON objects of an output, each of which begins and ends
// with a line that holds only a brace, from the lines between them.
func split(output string) (objects, lines []string) {
	var object strings.Builder
	inside := false
	for line := range strings.Lines(output) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case inside || text == "{":
			object.WriteString(line)
			if inside = text != "}"; !inside {
				objects = append(objects, object.String())
				object.Reset()
			}
		case text != "" && text != "{}":
			lines = append(lines, text)
		}
	}
	return objects, lines
}

// add takes one check's result for one package.
func (d *Document) add(pkg, name string, result json.RawMessage) error {
	c := check.Find(name)
	if c == nil {
		return fmt.Errorf("it has a check %q that this program does not have", name)
	}
	if result[0] == '{' {
		var failure struct{ Error string }
		err := json.Unmarshal(result, &failure)
		d.Failures = append(d.Failures, Failure{Package: pkg, Check: name, Reason: failure.Error})
		return err
	}
	var all []diagnostic
	if err := json.Unmarshal(result, &all); err != nil {
		return err
	}
	for _, one := range all {
		r := Report{Check: name, Kind: c.Kind, Package: pkg, Message: one.Message, category: one.Category}
		var err error
		if r.Place, err = d.place(one.Posn, one.End); err != nil {
			return err
		}
		for _, rel := range one.Related {
			p, err := d.place(rel.Posn, rel.End)
			if err != nil {
				return err
			}
			r.Related = append(r.Related, Explanation{p, rel.Message})
		}
		if len(one.SuggestedFixes) > 0 {
			first := one.SuggestedFixes[0] // the others are alternatives
			r.Fix = &Fix{Message: first.Message}
			for _, e := range first.Edits {
				r.Fix.Edits = append(r.Fix.Edits, edit.Edit{File: e.Filename, Start: e.Start, End: e.End, New: e.New})
			}
		}
		d.Reports = append(d.Reports, r)
	}
	return nil
}

// place reads two positions such as file.go:3:7.
func (d *Document) place(begin, end string) (p Place, err error) {
	file, line, column, err := position(begin)
	if err != nil {
		return p, err
	}
	p = Place{File: file, Line: line, Column: column, EndLine: line, EndColumn: column}
	if other, line, column, err := position(end); err == nil && other == file {
		p.EndLine, p.EndColumn = line, column
	}
	p.File = d.relative(file)
	return p, nil
}

// relative returns a path for output: with slashes, relative to the folder of the
// document if it is below.
func (d *Document) relative(file string) string {
	if below, err := filepath.Rel(d.Dir, file); err == nil && filepath.IsLocal(below) {
		file = below
	}
	return filepath.ToSlash(file)
}

// position splits file:line:column. A line directive without a column leaves
// positions without one.
func position(text string) (file string, line, column int, err error) {
	rest, last := cutLast(text)
	n, err := strconv.Atoi(last)
	if err != nil {
		return "", 0, 0, fmt.Errorf("%q is no position", text)
	}
	if file, middle := cutLast(rest); middle != "" {
		if line, err := strconv.Atoi(middle); err == nil {
			return file, line, n, nil
		}
	}
	return rest, n, 1, nil
}

// cutLast cuts s at its last colon. Without one, after is empty.
func cutLast(s string) (before, after string) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// fail records the messages of the go command about packages that could not be
// checked. Each begins with a line "# package". A line "# [package]" follows where the
// tool failed and not the compiler: on a package together with its tests.
func (d *Document) fail(lines []string) {
	at, withTests := -1, false
	for _, line := range lines {
		if pkg, ok := strings.CutPrefix(line, "# "); ok {
			if withTests = strings.HasPrefix(pkg, "["); withTests {
				continue
			}
			at = slices.IndexFunc(d.Failures, func(f Failure) bool { return f.Package == pkg && f.Check == "" })
			if at < 0 {
				at = len(d.Failures)
				d.Failures = append(d.Failures, Failure{Package: pkg, tests: true})
			}
			continue
		}
		line = strings.TrimPrefix(strings.TrimPrefix(line, tool+": "), "vet: ")
		switch {
		// These are about no package: a download, a pattern, the sum.
		case strings.HasPrefix(line, "go: "), strings.HasPrefix(line, "exit status "):
			if !strings.HasPrefix(line, "exit status ") && !subprocess.IsProgress(line) {
				d.Notes = append(d.Notes, strings.TrimPrefix(strings.TrimPrefix(line, "go: "), "warning: "))
			}
		case at < 0:
			d.Failures = append(d.Failures, Failure{Reason: line})
		default:
			f := &d.Failures[at]
			f.tests = f.tests && withTests
			if !strings.Contains(f.Reason, line) {
				f.Reason = strings.TrimPrefix(f.Reason+"\n"+line, "\n")
			}
		}
	}
}
