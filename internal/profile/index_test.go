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
	stacks, labels, locations, functions := dict.Sizes()
	texts := len(dict.text.strs)
	again, err := NewDecoder(Options{Dict: dict}).DecodeBytes("again", large)
	if err != nil {
		t.Fatal(err)
	}
	if s, l, lo, f := dict.Sizes(); s != stacks || l != labels || lo != locations || f != functions || len(dict.text.strs) != texts {
		t.Errorf("decoding into it once more adds to a dictionary: %d, %d, %d, %d", s-stacks, l-labels, lo-locations, f-functions)
	}
	wantSame(t, viaPprof(t, again), viaPprof(t, all[1]))
}
