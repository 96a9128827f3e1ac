package lengths

import "testing"

// tallyOf counts slices of some lengths, so many times each.
func tallyOf(lengths map[int]int64) *tally {
	t := &tally{}
	for n, times := range lengths {
		t.began += times
		for b := 1; b < buckets && largest(b-1) < n; b++ {
			t.reached[b] += times
		}
	}
	return t
}

func TestRoom(t *testing.T) {
	short, long := tallyOf(map[int]int64{2: 400}), tallyOf(map[int]int64{20: 50, 15: 950})
	for _, test := range []struct {
		name     string
		site     site
		tallies  []*tally
		room     int
		suffices string
	}{
		{"one benchmark", site{kind: list, width: 8, escapes: true}, []*tally{long}, 15, "nine of ten"},
		// Two elements take the room of three, one after the other, and not of 15. From three on, 15
		// would double to 24.
		{"a benchmark with short ones", site{kind: list, width: 8, escapes: true}, []*tally{short, long}, 2, "two of ten"},
		{"room on the stack", site{kind: list, width: 8}, []*tally{short, long}, 15, "nine of ten"},
		// A single element needs no second, so there is no room that pays in both.
		{"a benchmark with one each", site{kind: list, width: 8, escapes: true},
			[]*tally{tallyOf(map[int]int64{1: 100}), long}, 15, "nine of ten"},
		{"empty ones that get none", site{kind: list, width: 8, escapes: true, late: true},
			[]*tally{tallyOf(map[int]int64{0: 9000}), long}, 15, "nine of ten"},
		{"few of a field", site{kind: list, width: 8, late: true}, []*tally{tallyOf(map[int]int64{3: 100})}, 0, ""},
		{"most are empty", site{kind: list, width: 8, escapes: true}, []*tally{tallyOf(map[int]int64{0: 9000}), long}, 0, ""},
		{"a map", site{kind: mapping}, []*tally{short, long}, 15, "nine of ten"},
		{"too few", site{kind: list, width: 8}, []*tally{tallyOf(map[int]int64{9: 10})}, 0, ""},
		{"too large", site{kind: list, width: 4096}, []*tally{long}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if room, suffices := test.site.room(test.tallies); room != test.room || suffices != test.suffices {
				t.Errorf("%d, %s", room, suffices)
			}
		})
	}
}
