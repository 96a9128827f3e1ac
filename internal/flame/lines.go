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

// A hotLine is a line and its values. Among the lines of a profile, hotLines keeps those
// with the largest values of any column.
type hotLine struct {
	lineKey
	flat, cum []int64 // one value per column
	// lastRow is the last sample that counted, from 1. A sample counts once in cum, even
	// if a recursive call has the line several times on its stack.
	lastRow int
}

// excerptLine is a line of source to be shown.
type excerptLine struct {
	lineKey
	text string
}

const (
	maxHot  = 150 // lines for each column by flat, and as many by cum
	around  = 3   // lines of source before and after a hot one
	maxText = 160 // runes of a source line
)

// hotLines returns the heaviest lines, by function and line.
func hotLines(p *profile.Profile, columns []column, passes func(profile.StackID) bool, g *grower) []hotLine {
	t := lineTable{dict: p.Dict, grower: g, columns: len(columns), index: map[lineKey]int{},
		locations: make([][]int, p.Dict.NumLocations())}
	for row, stack := range p.Stacks {
		if !passes(stack) {
			continue
		}
		for depth, loc := range p.Dict.Stack(stack) {
			for i, n := range t.lineIndexes(loc) {
				if n < 0 || t.lines[n].lastRow == row+1 {
					continue
				}
				line := &t.lines[n]
				line.lastRow = row + 1
				for c, column := range columns {
					v := p.Values[column.index][row]
					line.cum[c] += v
					if depth == 0 && i == 0 {
						line.flat[c] += v
					}
				}
			}
		}
	}
	return heaviest(t.lines, len(columns))
}

// A lineTable holds the lines of locations. A stack refers to lines by their index, which
// is found only once for each location.
type lineTable struct {
	dict    *profile.Dict
	grower  *grower
	columns int
	lines   []hotLine
	index   map[lineKey]int // index in lines
	// locations has the indexes for a LocationID, the leaf first, and -1 for a frame
	// without a line. It is nil until the location is needed.
	locations [][]int
}

// lineIndexes returns the indexes of the lines of a location.
func (t *lineTable) lineIndexes(loc profile.LocationID) []int {
	if t.locations[loc] == nil {
		frames := t.grower.frames(loc)
		t.locations[loc] = make([]int, len(frames))
		for i, frame := range frames {
			t.locations[loc][i] = t.lineIndex(frame, loc, i)
		}
	}
	return t.locations[loc]
}

// lineIndex returns the index of the line of the i-th frame of a location, or -1.
func (t *lineTable) lineIndex(frame int32, loc profile.LocationID, i int) int {
	if i >= t.dict.Lines(loc) {
		return -1
	}
	line := t.dict.Line(loc, i)
	// Functions of one name in several files are one frame, with the lines of the first
	// file.
	if line.Line <= 0 || t.dict.Function(line.Function).File != t.grower.tree.Frames[frame].file {
		return -1
	}
	key := lineKey{frame, line.Line}
	n, ok := t.index[key]
	if !ok {
		n = len(t.lines)
		t.index[key] = n
		t.lines = append(t.lines, hotLine{lineKey: key, flat: make([]int64, t.columns), cum: make([]int64, t.columns)})
	}
	return n
}

// heaviest keeps the lines that are among the first maxHot by flat or by cum of a column.
// A decrease in a profile that is a difference weighs as much as an increase.
func heaviest(lines []hotLine, columns int) []hotLine {
	keep := make([]bool, len(lines))
	order := make([]int, len(lines))
	keepFirst := func(value func(hotLine) int64) {
		for i := range order {
			order[i] = i
		}
		size := func(i int) float64 { return math.Abs(float64(value(lines[i]))) }
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
		for _, i := range order[:min(len(order), maxHot)] {
			keep[i] = keep[i] || size(i) > 0
		}
	}
	for c := range columns {
		keepFirst(func(l hotLine) int64 { return l.flat[c] })
		keepFirst(func(l hotLine) int64 { return l.cum[c] })
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

// excerpts returns the source around the hot lines. It leaves out files that source does
// not have, and files that do not mention the function: those are not the profiled
// program's, but others at the same path.
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
	shown := lineKey{frame: -1} // the last line in all, since excerpts of near lines overlap
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

// mentions reports whether a file has the identifier at the end of a function's name. For
// a closure, whose name the compiler has made up, it looks for the function around it.
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
