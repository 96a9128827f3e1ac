package flame

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// lineKey is a line of a function.
type lineKey struct {
	frame int32
	line  int64
}

// hotLine is a line with much of a column.
type hotLine struct {
	lineKey
	flat, cum []int64 // one value per column
	lastRow   int     // the last row that counted, from 1: a recursive call counts once
}

// excerptLine is a line of source to be shown.
type excerptLine struct {
	lineKey
	text string
}

const (
	maxHot  = 150 // lines by their own sum, and as many by the sum below them
	around  = 3   // lines of source before and after a hot one
	maxText = 160 // runes of a source line
)

// hotLines returns the heaviest lines, by function and line.
func hotLines(p *profile.Profile, columns []column, passes func(profile.StackID) bool, g *grower) []hotLine {
	t := lineTable{dict: p.Dict, grower: g, columns: len(columns), number: map[lineKey]int{},
		known: make([][]int, p.Dict.NumLocations())}
	for row, stack := range p.Stacks {
		if !passes(stack) {
			continue
		}
		for depth, loc := range p.Dict.Stack(stack) {
			for i, n := range t.of(loc) {
				if n < 0 || t.lines[n].lastRow == row+1 {
					continue
				}
				line := &t.lines[n]
				line.lastRow = row + 1
				for c, column := range columns {
					v := p.Values[column.of][row]
					line.cum[c] += v
					if depth == 0 && i == 0 {
						line.flat[c] += v
					}
				}
			}
		}
	}
	return heaviest(t.lines)
}

// lineTable numbers the lines of locations.
type lineTable struct {
	dict    *profile.Dict
	grower  *grower
	columns int
	lines   []hotLine
	number  map[lineKey]int
	known   [][]int // LocationID → numbers of lines, the leaf first; -1 is no line
}

func (t *lineTable) of(loc profile.LocationID) []int {
	if t.known[loc] == nil {
		frames := t.grower.frames(loc)
		t.known[loc] = make([]int, len(frames))
		for i, frame := range frames {
			t.known[loc][i] = t.at(frame, loc, i)
		}
	}
	return t.known[loc]
}

// at returns the number of the line at which a frame of a location is.
func (t *lineTable) at(frame int32, loc profile.LocationID, i int) int {
	if i >= t.dict.Lines(loc) {
		return -1
	}
	line := t.dict.Line(loc, i)
	// Functions of one name in several files are one frame, with the lines of the first
	// file.
	if line.Line <= 0 || t.dict.Function(line.Function).File != t.grower.tree.Frames[frame].file {
		return -1
	}
	at := lineKey{frame, line.Line}
	n, ok := t.number[at]
	if !ok {
		n = len(t.lines)
		t.number[at] = n
		t.lines = append(t.lines, hotLine{lineKey: at, flat: make([]int64, t.columns), cum: make([]int64, t.columns)})
	}
	return n
}

// heaviest keeps the lines that are among the first by flat or by cum.
func heaviest(lines []hotLine) []hotLine {
	columns := 0
	if len(lines) > 0 {
		columns = len(lines[0].flat)
	}
	keep := make([]bool, len(lines))
	for _, of := range []func(hotLine) []int64{
		func(l hotLine) []int64 { return l.flat }, func(l hotLine) []int64 { return l.cum },
	} {
		for c := range columns {
			order := make([]int, len(lines))
			for i := range order {
				order[i] = i
			}
			size := func(i int) float64 { return math.Abs(float64(of(lines[i])[c])) }
			slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
			for _, i := range order[:min(len(order), maxHot)] {
				keep[i] = keep[i] || size(i) > 0
			}
		}
	}
	var kept []hotLine
	for i, l := range lines {
		if keep[i] {
			kept = append(kept, l)
		}
	}
	slices.SortFunc(kept, func(a, b hotLine) int {
		return cmp.Or(cmp.Compare(a.frame, b.frame), cmp.Compare(a.line, b.line))
	})
	return kept
}

// excerpts returns the source around the hot lines, as far as it is at hand and is the
// profiled program's: a file that does not mention the function is another one of the
// same name.
func excerpts(t *Tree, source Source) []excerptLine {
	if source == nil {
		return nil
	}
	files := map[string][]string{}
	linesOf := func(file string) []string {
		lines, known := files[file]
		if !known && file != "" {
			if text, ok := source(file); ok {
				lines = strings.Split(text, "\n")
			}
			files[file] = lines
		}
		return lines
	}
	var all []excerptLine
	shown := lineKey{frame: -1} // the last one
	for _, hot := range t.hot {
		frame := t.Frames[hot.frame]
		lines := linesOf(frame.file)
		if hot.line > int64(len(lines)) || !mentions(lines, frame.Name) {
			continue
		}
		for n := max(1, hot.line-around); n <= min(int64(len(lines)), hot.line+around); n++ {
			if shown.frame == hot.frame && n <= shown.line {
				continue
			}
			text := strings.ReplaceAll(strings.TrimRight(lines[n-1], " \t\r"), "\t", "    ")
			shown = lineKey{hot.frame, n}
			all = append(all, excerptLine{shown, clipped(termtext.Harmless(text), maxText)})
		}
	}
	return all
}

// mentions reports whether a file has the identifier that a function's name ends
// in. Closures have names of the compiler's: the function around them counts.
func mentions(lines []string, function string) bool {
	name := profile.ShortName(function)
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	_, name, _ = strings.Cut(name, ".")
	if rest, ok := strings.CutPrefix(name, "("); ok { // a method with a pointer receiver
		_, name, _ = strings.Cut(rest, ").")
	}
	name, _, _ = strings.Cut(name, ".")
	return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, name) })
}
