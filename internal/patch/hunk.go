package patch

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// maxFuzz is how many lines of context at each end of a hunk may differ from the file,
// as with patch -F2.
const maxFuzz = 2

// hunk is a part of a diff: the lines that it replaces, and the others.
type hunk struct {
	header        string // "@@ -10,7 +10,8 @@ func F"
	at            int    // index of the line where the diff has it
	lead, trail   int    // lines of context at its ends
	before, after []string
	// contextOfAfter has for each line of after the line of before that it is, -1 for a
	// new one.
	contextOfAfter []int
}

func newHunk(f *gitdiff.TextFragment) hunk {
	h := hunk{
		header: strings.TrimSpace(f.Header()), at: max(int(f.OldPosition)-1, 0),
		lead: int(f.LeadingContext), trail: int(f.TrailingContext),
	}
	if f.OldLines == 0 {
		h.at = int(f.OldPosition) // it stands after that line
	}
	for _, l := range f.Lines {
		is := -1
		if l.Op != gitdiff.OpAdd {
			is = len(h.before)
			h.before = append(h.before, l.Line)
		}
		if l.Op != gitdiff.OpDelete {
			h.after = append(h.after, l.Line)
			h.contextOfAfter = append(h.contextOfAfter, is)
		}
	}
	return h
}

// apply returns the text with the hunks, each at or after the end of the one before.
func apply(text []byte, fragments []*gitdiff.TextFragment) ([]byte, error) {
	windows := 2*bytes.Count(text, []byte("\r\n")) > bytes.Count(text, []byte("\n"))
	lines := strings.SplitAfter(string(text), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	done, moved := 0, 0 // lines that are in out, and how far the last hunk was from its place
	for i, f := range fragments {
		h := newHunk(f)
		at, ok := h.find(lines, done, h.at+moved)
		if !ok {
			return nil, h.refuse(i, lines, done)
		}
		moved = at - h.at
		out = append(out, lines[done:at]...)
		for j, line := range h.after {
			if from := h.contextOfAfter[j]; from >= 0 && at+from < len(lines) {
				line = lines[at+from] // the file's own context, which may differ
			} else if windows {
				line = strings.TrimRight(line, "\r\n") + "\r\n"
			}
			out = append(out, line)
		}
		done = at + len(h.before)
	}
	out = append(out, lines[done:]...)
	for i, line := range out[:max(len(out)-1, 0)] {
		if !strings.HasSuffix(line, "\n") {
			out[i] = line + "\n" // it was the last line
		}
	}
	return []byte(strings.Join(out, "")), nil
}

// find returns where a hunk belongs: the place nearest to where it is expected, with as
// much of its context as possible.
func (h *hunk) find(lines []string, from, expected int) (at int, ok bool) {
	for fuzz := range maxFuzz + 1 {
		lead, trail := min(fuzz, h.lead), min(fuzz, h.trail)
		if fuzz > 0 && lead+trail >= len(h.before) {
			break // nothing is left to recognize it by
		}
		for distance := range len(lines) + len(h.before) + 1 {
			for _, at := range []int{expected - distance, expected + distance} {
				if at >= from && at+len(h.before) <= len(lines) && h.matches(lines[at:], lead, trail) {
					return at, true
				}
			}
			if len(h.before) == 0 {
				break // any place would do
			}
		}
	}
	return 0, false
}

func (h *hunk) matches(lines []string, lead, trail int) bool {
	for i := lead; i < len(h.before)-trail; i++ {
		if strings.TrimRight(lines[i], "\r\n") != strings.TrimRight(h.before[i], "\r\n") {
			return false
		}
	}
	return true
}

// refuse says which hunk does not apply, and why.
func (h *hunk) refuse(index int, lines []string, from int) error {
	done := hunk{before: h.after, at: h.at}
	if _, ok := done.find(lines, from, h.at); ok && len(h.after) > 0 {
		return fmt.Errorf("hunk %d (%s) is applied already", index+1, h.header)
	}
	return fmt.Errorf("hunk %d (%s) does not apply: the file has no such lines; make the diff again from the present source",
		index+1, h.header)
}
