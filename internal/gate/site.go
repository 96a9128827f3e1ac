package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/sample"
)

// Site is a line of the program that costs more on the head than on the base:
// itself, or in its calls of other modules and the runtime.
type Site struct {
	File     string  `json:"file"` // relative to the root of the repository, with slashes
	Line     int     `json:"line"` // the number on the head
	Function string  `json:"function"`
	Base     float64 `json:"base"` // per operation, in the metric's unit; 0 for a new line
	Head     float64 `json:"head"`
}

// Side is a profile of one side and the operations that it covers.
type Side struct {
	Profile    *profile.Profile
	Iterations int
}

// column is where a profile has a metric: the sample type, and the factor from its
// unit to the metric's.
type column struct {
	name string
	unit float64
}

var columns = map[string]column{
	"B/op":         {"alloc_space", 1},
	"allocs/op":    {"alloc_objects", 1},
	sample.Primary: {"cpu", 1e-9},
}

const (
	// mostSites bounds the lines of a metric: who needs more looks at the profiles.
	mostSites = 5
	// worthNaming is the least share of all growth that a line is named for.
	worthNaming = 0.05
	// chance is by how many standard deviations a line's CPU samples must have
	// grown. Samples are counted, so that their variance is their number.
	chance = 3
)

// Grown returns the lines that a metric grew by, the most grown first, for a metric that
// profiles have. Moves gives the places of lines that moved.
func Grown(metric string, base, head Side, tree Tree, moves Moves) []Site {
	c, ok := columns[metric]
	if !ok {
		return nil
	}
	before, after := tree.sum(base, c, moves), tree.sum(head, c, nil)
	var grown []Site
	total := 0.0
	for at, now := range after {
		was := before[at]
		if more := now.value - was.value; more > 0 && now.surely(was) {
			total += more
			grown = append(grown, Site{File: at.file, Line: at.line, Function: now.function,
				Base: was.value, Head: now.value})
		}
	}
	grown = slices.DeleteFunc(grown, func(s Site) bool { return s.Head-s.Base < worthNaming*total })
	slices.SortFunc(grown, func(a, b Site) int {
		return cmp.Or(cmp.Compare(b.Head-b.Base, a.Head-a.Base), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line))
	})
	return grown[:min(len(grown), mostSites)]
}

// position is a line of the head.
type position struct {
	file string
	line int
}

// weight is the cost of a line.
type weight struct {
	function string
	value    float64 // per operation
	samples  float64 // samples of CPU time; 0 where nothing is left to chance
}

// surely reports whether the growth is more than chance.
func (w weight) surely(was weight) bool {
	more, spread := w.samples-was.samples, w.samples+was.samples
	return spread == 0 || more > 0 && more*more > chance*chance*spread
}

// sum adds a profile up by the program's own lines: a sample belongs to the
// innermost of them on its stack.
func (t Tree) sum(s Side, c column, moves Moves) map[position]weight {
	sums := map[position]weight{}
	i, ok := s.Profile.Column(c.name)
	if !ok || s.Iterations == 0 {
		return sums
	}
	samples, sampled := s.Profile.Column("samples")
	for row, stack := range s.Profile.Stacks {
		for f := range s.Profile.Dict.Frames(stack) {
			fn := s.Profile.Dict.Function(f.Function)
			file, own := t.file(fn)
			if !own {
				continue
			}
			at := position{file, moves.now(file, int(f.Line.Line))}
			w := sums[at]
			w.function = fn.Name
			w.value += float64(s.Profile.Values[i][row]) * c.unit / float64(s.Iterations)
			if sampled {
				w.samples += float64(s.Profile.Values[samples][row])
			}
			sums[at] = w
			break
		}
	}
	return sums
}

// Tree says where the program's own packages are: by module path, the module's
// folder from the root of the repository, with slashes.
type Tree map[string]string

// file returns where a function is written, if it is the program's own. It goes
// by the package and the file's last element alone, since the sides are built
// in different folders.
func (t Tree) file(fn profile.Function) (string, bool) {
	base := path.Base(strings.ReplaceAll(fn.File, `\`, "/"))
	pkg := profile.PackageOf(fn.Name)
	if strings.HasSuffix(base, "_test.go") {
		pkg = strings.TrimSuffix(pkg, "_test") // an external test package
	}
	module := ""
	for m := range t {
		if (pkg == m || strings.HasPrefix(pkg, m+"/")) && len(m) > len(module) {
			module = m
		}
	}
	if module == "" || strings.HasPrefix(base, "heapwright_") { // added for measuring
		return "", false
	}
	return path.Join(t[module], strings.TrimPrefix(pkg, module), base), true
}
