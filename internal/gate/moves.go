package gate

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Moves says where lines of the base are on the head, by file. Files that did
// not change are not in it.
type Moves map[string][]hunk

// hunk is a change: lines of the base that became lines of the head.
type hunk struct{ was, wasLines, is, isLines int }

// DiffArgs are the arguments of git for a diff that ReadMoves understands,
// whatever the user's own settings are. A line that is only indented differently is the
// same. The revisions follow.
var DiffArgs = []string{"-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-renames",
	"--ignore-all-space", "--unified=0",
	"--src-prefix=a/", "--dst-prefix=b/"}

var hunkLine = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// ReadMoves reads a unified diff without context.
func ReadMoves(r io.Reader) (Moves, error) {
	m, file := Moves{}, ""
	in := bufio.NewReader(r)
	skip := 0 // lines of text in a hunk, which may look like anything
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF && line == "" {
			return m, nil
		} else if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading the diff of base and head: %w", err)
		}
		line = strings.TrimRight(line, "\r\n")
		switch {
		case skip > 0:
			if !strings.HasPrefix(line, `\`) { // "\ No newline at end of file"
				skip--
			}
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/")
			file, _, _ = strings.Cut(file, "\t") // git ends a name with spaces so
		case strings.HasPrefix(line, "@@ "):
			h, ok := readHunk(line)
			if !ok {
				return nil, fmt.Errorf("the diff of base and head has a line that git does not write: %q", line)
			}
			m[file] = append(m[file], h)
			skip = h.wasLines + h.isLines
		}
	}
}

func readHunk(line string) (hunk, bool) {
	f := hunkLine.FindStringSubmatch(line)
	if f == nil {
		return hunk{}, false
	}
	n := [4]int{1: 1, 3: 1} // a count of one is left out
	for i, text := range f[1:] {
		if text == "" {
			continue
		}
		var err error
		if n[i], err = strconv.Atoi(text); err != nil || n[i] > 1<<30 {
			return hunk{}, false
		}
	}
	return hunk{was: n[0], wasLines: n[1], is: n[2], isLines: n[3]}, true
}

// now returns where a line of the base is on the head. Lines that were
// rewritten are taken for those in their place; one that is gone is below 0.
func (m Moves) now(file string, line int) int {
	shift := 0
	for _, h := range m[file] {
		switch {
		case h.wasLines == 0 && line <= h.was, h.wasLines > 0 && line < h.was:
			return line + shift
		case line < h.was+h.wasLines && h.isLines == 0:
			return -line
		case line < h.was+h.wasLines:
			return h.is + min(line-h.was, h.isLines-1)
		}
		shift += h.isLines - h.wasLines
	}
	return line + shift
}
