package profile

import (
	"cmp"
	"slices"
)

// Label is one label of a sample: of text (set by runtime/pprof.Do) or a number
// with a unit (the object size in a heap profile).
type Label struct {
	Key     string
	Numeric bool
	Text    string // if not Numeric
	Number  int64  // if Numeric
	Unit    string // if Numeric; may be empty
}

// Labels returns the labels of a set: text before numbers, and those of one key
// in the file's order.
func (d *Dict) Labels(id LabelsID) []Label {
	words := d.labels.at(uint32(id))
	set := make([]Label, 0, len(words)/labelWords)
	for w := range slices.Chunk(words, labelWords) {
		l := Label{Key: d.text.at(w[1]), Numeric: w[0] == 1}
		if l.Numeric {
			l.Number, l.Unit = joinInt(w[2], w[3]), d.text.at(w[4])
		} else {
			l.Text = d.text.at(w[2])
		}
		set = append(set, l)
	}
	return set
}

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
