package flame

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// hotLine is a line with much of a column.
type hotLine struct {
	frame     int32
	line      int64
	flat, cum []int64 // by column
}

// excerptLine is a line of source to be shown.
type excerptLine struct {
	frame int32
	line  int64
	text  string
}

const (
	maxHot  = 150 // lines by their own sum, and as many by the sum below them
	around  = 3   // lines of source before and after a hot one
	maxText = 160 // runes of a source line
)

// hotLines returns the heaviest lines, by function and line.
func hotLines(p *profile.Profile, columns []column, passes func(profile.StackID) bool, g *grower) []hotLine {
	type key struct {
		frame int32
		line  int64
	}
	var lines []hotLine
	var lastRow []int // by line: the last row that counted towards cum, from 1
	number := map[key]int{}
	_, _, locations, _ := p.Dict.Sizes()
	known := make([][]int, locations) // by LocationID: lines, the leaf first; -1 has none
	of := func(loc profile.LocationID) []int {
		if known[loc] != nil {
			return known[loc]
		}
		frames := g.frames(loc)
		known[loc] = make([]int, len(frames))
		for i, frame := range frames {
			known[loc][i] = -1
			if i >= p.Dict.Lines(loc) {
				continue
			}
			line := p.Dict.Line(loc, i)
			// Functions of one name in several files are one frame; its lines are
			// those of the first file.
			if line.Line <= 0 || p.Dict.Function(line.Function).File != g.tree.Frames[frame].file {
				continue
			}
			k := key{frame, line.Line}
			n, ok := number[k]
			if !ok {
				n = len(lines)
				number[k] = n
				lines = append(lines, hotLine{frame, line.Line, make([]int64, len(columns)), make([]int64, len(columns))})
				lastRow = append(lastRow, 0)
			}
			known[loc][i] = n
		}
		return known[loc]
	}
	for row, stack := range p.Stacks {
		if !passes(stack) {
			continue
		}
		for depth, loc := range p.Dict.Stack(stack) {
			for i, n := range of(loc) {
				if n < 0 {
					continue
				}
				first := lastRow[n] != row+1
				lastRow[n] = row + 1
				for c, column := range columns {
					if v := p.Values[column.of][row]; first {
						lines[n].cum[c] += v
						if depth == 0 && i == 0 {
							lines[n].flat[c] += v
						}
					}
				}
			}
		}
	}
	return heaviest(lines)
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

// excerpts returns the source around the hot lines, as far as it is at hand and
// is that of the profiled program: a file that does not mention the function is
// another one of the same name.
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
	shown := excerptLine{frame: -1} // the last one
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
			shown = excerptLine{hot.frame, n, clipped(termtext.Harmless(text), maxText)}
			all = append(all, shown)
		}
	}
	return all
}

// mentions tells whether a file has the identifier that a function's name ends
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
