package profile

import (
	"cmp"
	"slices"
)

// labelSeq is a label in words: 1 if numeric, key, text or number, unit.
type labelSeq [labelWords]uint32

const labelWords = 5

// internLabels returns the number of a set. Sets are equal if they have the same
// labels per key in the same order, whatever the order of the keys, so they are
// stored sorted by key. It reorders its argument.
func (d *Dict) internLabels(set []labelSeq, words []uint32) (LabelsID, []uint32) {
	if len(set) > 1 {
		slices.SortStableFunc(set, func(a, b labelSeq) int {
			return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
		})
	}
	words = words[:0]
	for i := range set {
		words = append(words, set[i][:]...)
	}
	return LabelsID(d.labels.intern(words)), words
}
