package profile

import "testing"

// The decoder lends its indexes to the Dict of each file and takes them back:
// nothing of one file may show in the next, and a Dict that is added to later
// must still know its contents.
func TestDictWithoutItsIndexKnowsWhatItHas(t *testing.T) {
	small, large := rawOf(t, full()), realProfiles()["heap"]
	d := NewDecoder(Options{})
	var all []*Profile
	for _, file := range [][]byte{small, large, small} {
		p, err := d.DecodeBytes("lent", file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	wantSame(t, viaPprof(t, all[2]), viaPprof(t, all[0]))

	dict := all[1].Dict
	sizes := func() [5]int {
		return [5]int{dict.stacks.len(), dict.labels.len(), dict.locations.len(), dict.functions.len(), len(dict.text.strs)}
	}
	before := sizes()
	again, err := NewDecoder(Options{Dict: dict}).DecodeBytes("again", large)
	if err != nil {
		t.Fatal(err)
	}
	if after := sizes(); after != before {
		t.Errorf("decoding into it once more changes a dictionary from %d to %d", before, after)
	}
	wantSame(t, viaPprof(t, again), viaPprof(t, all[1]))
}
