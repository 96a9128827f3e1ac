package serve

import (
	"cmp"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/owner"
)

// Library is a line of a library with its cost in all services together.
type Library struct {
	Function string
	Module   string // "" where it is not known
	// File and Line are the line that costs most. Services may have several versions.
	File     string
	Line     int
	Services []string // sorted
	Cores    evidence.Range
	Bytes    evidence.Range
	Month    evidence.Range

	most float64
}

// libraries adds the lines of libraries up that cost more than one service. Lines are
// joined by their function, because versions of a library differ in the numbers of lines.
func libraries(ranking []Rank, usage map[string]Usage, rates Rates) []Library {
	if !rates.Known() {
		rates = fargate
	}
	byFunction := map[string]*Library{}
	add := func(service, module string, at evidence.Frame, cores, bytes evidence.Range) {
		l := byFunction[at.Function]
		if l == nil {
			l = &Library{Function: at.Function}
			byFunction[at.Function] = l
		}
		if !slices.Contains(l.Services, service) {
			l.Services = append(l.Services, service)
		}
		l.Module = cmp.Or(l.Module, module)
		l.Cores, l.Bytes = plus(l.Cores, cores), plus(l.Bytes, bytes)
		month := rates.Month(cores.High, bytes.High)
		l.Month = plus(l.Month, evidence.Range{Low: rates.Month(cores.Low, bytes.Low), High: month})
		if l.File == "" || month > l.most {
			l.File, l.Line, l.most = at.File, at.Line, month
		}
	}
	for _, r := range ranking {
		f := r.Finding
		if owner.Of(f.Function, f.File) == owner.Dependency {
			at := evidence.Frame{Function: f.Function, File: f.File, Line: f.Line}
			add(r.Service, "", at, r.Cores, r.Bytes)
			continue
		}
		cores := usage[r.Service].Cores
		for _, line := range f.Library {
			of := evidence.Range{Low: line.CPU.Low * cores, High: line.CPU.High * cores}
			add(r.Service, line.Module, line.Frame, of, evidence.Range{})
		}
	}
	var all []Library
	for _, l := range byFunction {
		if len(l.Services) > 1 {
			slices.Sort(l.Services)
			all = append(all, *l)
		}
	}
	slices.SortFunc(all, func(a, b Library) int {
		return cmp.Or(cmp.Compare(b.Month.High, a.Month.High), cmp.Compare(a.Function, b.Function))
	})
	return all
}

func plus(a, b evidence.Range) evidence.Range {
	return evidence.Range{Low: a.Low + b.Low, High: a.High + b.High}
}
