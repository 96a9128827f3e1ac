package machine

import "testing"

func TestTime(t *testing.T) {
	for _, test := range []struct {
		line string
		want Time
	}{
		{"cpu  60 10 20 3000 400 1 2 7 5 5\n", Time{Busy: 93, Stolen: 7}},
		{"cpu  60 10 20 3000 400 1 2 7\n", Time{Busy: 93, Stolen: 7}},
		{"cpu  60 10 20 3000 400 1 2\n", Time{}}, // before Linux 2.6.11
		{"cpu0 60 10 20 3000 400 1 2 7\n", Time{}},
		{"cpu  60 10 20 3000 400 1 2 -7\n", Time{}},
		{"", Time{}},
	} {
		if got := readTime(test.line); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.line, got, test.want)
		}
	}
	if ReadTime().Busy == 0 {
		t.Error("nothing has run on this machine")
	}
}

func TestStolenSince(t *testing.T) {
	before := Time{Busy: 100, Stolen: 10}
	for _, test := range []struct {
		now  Time
		want float64
	}{
		{Time{Busy: 130, Stolen: 20}, 0.25},
		{Time{Busy: 100, Stolen: 20}, 1},
		{before, 0},
		{Time{Busy: 130, Stolen: 9}, 0}, // some kernels let it fall
		{Time{}, 0},
	} {
		if got := test.now.StolenSince(before); got != test.want {
			t.Errorf("%+v after %+v: %g, want %g", test.now, before, got, test.want)
		}
	}
}
