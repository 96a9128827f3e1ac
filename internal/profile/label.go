package profile

import (
	"cmp"
	"slices"
)

// labelSeq is a label in words: 1 if numeric, key, text or number, unit.
type labelSeq [labelWords]uint32

const labelWords = 5

// LabelText returns the text of a set's label, "" if it has none of that key.
func (d *Dict) LabelText(id LabelsID, key string) string {
	words := d.labels.at(uint32(id))
	for at := 0; at+labelWords <= len(words); at += labelWords {
		if numeric := words[at] == 1; !numeric && d.text.at(words[at+1]) == key {
			return d.text.at(words[at+2])
		}
	}
	return ""
}

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
