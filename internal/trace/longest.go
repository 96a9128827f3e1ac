package trace

import (
	"cmp"
	"container/heap"
	"slices"
)

// maxSpans is how many of the longest events a timeline holds.
const maxSpans = 1000

// longest keeps the longest spans that it is given, as a heap with the shortest
// on top.
type longest []Span

func (l longest) Len() int           { return len(l) }
func (l longest) Less(i, j int) bool { return l[i].Duration < l[j].Duration }
func (l longest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *longest) Push(x any)        { *l = append(*l, x.(Span)) }
func (l *longest) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}

func (l *longest) add(s Span) {
	switch {
	case len(*l) < maxSpans:
		heap.Push(l, s)
	case s.Duration > (*l)[0].Duration:
		(*l)[0] = s
		heap.Fix(l, 0)
	}
}

// ordered returns the spans in the order of time.
func (l longest) ordered() []Span {
	all := append([]Span{}, l...)
	slices.SortFunc(all, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Goroutine, b.Goroutine))
	})
	return all
}
