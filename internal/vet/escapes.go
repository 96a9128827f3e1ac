package vet

import (
	"context"
	"strings"

	"github.com/heapwright/heapwright/internal/source/escape"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// escapePlace is the place of an expression that escapes to the heap. The files of a
// package lie in one folder, so the name is enough: the go command shortens paths by
// rules of its own.
type escapePlace struct {
	pkg, file    string
	line, column int
}

// compile compiles packages. It returns the places that escape, and for each package
// that does not compile the reason. Unlike go build, it links nothing.
func compile(ctx context.Context, dir string, packages []string) (map[escapePlace]bool, map[string]string, error) {
	args := append([]string{"list", "-e", "-export", "-buildvcs=false", "-gcflags=-m",
		"-json=ImportPath,Export,Error,DepsErrors", "--"}, packages...)
	out, messages, err := goCommand(ctx, dir, args...)
	if err != nil {
		return nil, nil, err
	}
	type compilation struct {
		listEntry
		Export string
	}
	all, err := subprocess.Values[compilation](out)
	if err != nil {
		return nil, nil, err
	}
	failed := map[string]string{}
	for _, p := range all {
		switch {
		case p.Export != "":
		case p.Error != nil:
			failed[p.ImportPath] = withoutHeading(p.Error)
		case len(p.DepsErrors) > 0:
			failed[p.ImportPath] = withoutHeading(p.DepsErrors[0])
		default:
			failed[p.ImportPath] = "the compiler gave no result"
		}
	}
	return parseEscapes(messages), failed, nil
}

// withoutHeading returns a message of the compiler without the line "# package" above it.
func withoutHeading(e *loadError) string {
	text := strings.TrimSpace(e.Err)
	if strings.HasPrefix(text, "# ") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// parseEscapes reads messages such as "dir/file.go:3:7: x escapes to heap" below the
// line "# package". The compiler reports inlined code at the call.
func parseEscapes(messages string) map[escapePlace]bool {
	all := map[escapePlace]bool{}
	pkg := ""
	for line := range strings.Lines(messages) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			pkg = plainPackage(name)
			continue
		}
		at, text, _ := escape.CutPosition(line)
		value, escapes := strings.CutSuffix(text, " escapes to heap")
		if escapes && value != "append" && at.Line > 0 && at.Column > 0 {
			file := at.File[strings.LastIndexAny(at.File, `/\`)+1:]
			all[escapePlace{pkg: pkg, file: file, line: at.Line, column: at.Column}] = true
		}
	}
	return all
}
