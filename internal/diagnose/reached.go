package diagnose

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules"
)

// A spot is a function of a program, or with Line one of its lines.
type spot struct {
	function string
	line     int64
}

// shares are the parts of a benchmark's CPU time and of its allocated bytes that run through
// spots, added up.
type shares map[spot]float64

// add adds a column of a profile. A stack counts once for each spot, however often it recurs.
func (s shares) add(p *profile.Profile, column string) {
	c, ok := p.Column(column)
	if !ok || p.Total(c) <= 0 {
		return
	}
	total := float64(p.Total(c))
	for row, stack := range p.Stacks {
		if p.Values[c][row] == 0 {
			continue
		}
		seen := map[spot]bool{}
		for f := range p.Dict.Frames(stack) {
			name := p.Dict.FrameName(f)
			seen[spot{name, 0}], seen[spot{name, f.Line.Line}] = true, true
		}
		for at := range seen {
			s[at] += float64(p.Values[c][row]) / total
		}
	}
}

// sharesOf reads the profiles of a benchmark. It is nil if they cannot be read.
func sharesOf(r experiment.Recording) shares {
	s, decoder := shares{}, profile.NewDecoder(profile.Options{})
	for _, file := range slices.Concat(r.CPU, r.Heap) {
		p, err := decoder.DecodeFile(file)
		if err != nil {
			return nil
		}
		s.add(p, "cpu")
		s.add(p, "alloc_space")
	}
	return s
}

// addReached names in findings the benchmarks whose profiles have their functions: the one with
// the largest part at the finding's line first. Without such a profile, a benchmark may run a
// function all the same, but not for long.
func addReached(recordings []experiment.Recording, findings ...[]rules.Finding) {
	if len(recordings) < 2 {
		return
	}
	var all []shares
	for _, r := range recordings {
		s := sharesOf(r)
		if s == nil {
			return
		}
		all = append(all, s)
	}
	var add func(f *rules.Finding)
	add = func(f *rules.Finding) {
		at := spot{f.Function, int64(f.Line)}
		if f.Root != nil {
			at = spot{f.Root.Function, 0}
		}
		whole := spot{at.function, 0}
		var reached []int
		for i, s := range all {
			if s[whole] > 0 {
				reached = append(reached, i)
			}
		}
		slices.SortStableFunc(reached, func(i, j int) int {
			return cmp.Or(cmp.Compare(all[j][at], all[i][at]), cmp.Compare(all[j][whole], all[i][whole]))
		})
		f.Benchmarks = nil
		for _, i := range reached {
			f.Benchmarks = append(f.Benchmarks, recordings[i].Key)
		}
		for i := range f.Others {
			add(&f.Others[i])
		}
	}
	for i := range findings {
		for j := range findings[i] {
			add(&findings[i][j])
		}
	}
}
