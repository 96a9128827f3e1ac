package experiment

import (
	"slices"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/result"
)

func TestMayRepeat(t *testing.T) {
	looks := []int{12, 20, 40}
	repeated := func(n int) []result.Disturbed {
		return append(slices.Repeat([]result.Disturbed{{Block: 1, Stolen: 0.5, Repeated: true}}, n), result.Disturbed{Block: 2, Stolen: 0.5})
	}
	for _, test := range []struct {
		name       string
		disturbed  []result.Disturbed
		block      int
		left, took time.Duration
		want       bool
	}{
		{"the first, time for it and the rest", nil, 3, 10 * time.Second, time.Second, true},
		{"no time for the rest", nil, 3, 9 * time.Second, time.Second, false},
		{"the last one before a look", nil, 12, time.Second, time.Second, true},
		{"after that look the next one counts", nil, 13, 7 * time.Second, time.Second, false},
		{"one fewer than half", repeated(5), 12, time.Hour, time.Second, true},
		{"half of them", repeated(6), 12, time.Hour, time.Second, false},
		{"half of those at the next look", repeated(6), 13, time.Hour, time.Second, true},
	} {
		if got := mayRepeat(test.disturbed, test.block, looks, test.left, test.took); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// What is doubtful of a block that is measured again says nothing of the one
// that counts.
func TestForgottenDoubts(t *testing.T) {
	d := doubts{}
	at := cellBench{mode: "default", key: testKeys[0]}
	d.add(at, 1, []Doubt{{"slow", "first"}})
	d.add(at, 2, []Doubt{{"slow", "second"}, {"late", "once"}})
	d.forget(2)
	if got := d[doubtful{at, "slow"}]; len(got) != 1 || got[1] != "first" {
		t.Errorf("of two blocks with a doubt one is forgotten; left are %v", got)
	}
	if _, there := d[doubtful{at, "late"}]; there {
		t.Error("a doubt stays that no block has")
	}
}
