package versus

import (
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/verdict"
)

// part is the share of the CPU time, in percent, of a stack below main.
type part struct {
	stack string
	cost  int64
}

const order = " main.order@/src/shop.go:3" + profiletest.Main

// shop is the profile of a program with one function that calls all others.
func shop(t *testing.T, more ...part) real {
	t.Helper()
	p := profiletest.NewCPU()
	for _, one := range append([]part{{"main.parse@/src/shop.go:7", 45}, {"main.render@/src/shop.go:20", 19}, {"main.sort@/src/shop.go:30", 18}}, more...) {
		p.CPU(one.cost, one.stack+order)
	}
	return decode(t, p)
}

// A regression stands when another function of the same caller takes less by chance. A cost
// that went from one function to another is none.
func TestMovedOrByChance(t *testing.T) {
	const price, note = "main.price@/src/shop.go:40", "main.note@/src/shop.go:50"
	before := shop(t, part{price, 10}, part{note, 8})
	for name, c := range map[string]struct {
		after     real
		extra     planted
		confirmed bool // in nearly all runs, else in nearly none
	}{
		"worse":    {before, planted{3, 0.03}, true},
		"renamed":  {shop(t, part{"main.cost@/src/shop.go:40", 10}, part{note, 8}), none, false},
		"cut":      {shop(t, part{price, 5}, part{"main.tax@/src/shop.go:60", 5}, part{note, 8}), none, false},
		"cut off":  {shop(t, part{price, 6}, part{"main.tax@/src/shop.go:60 " + price, 4}, part{note, 8}), none, false},
		"absorbed": {shop(t, part{price, 14}, part{note, 4}), none, false},
	} {
		const runs = 40
		confirmed, worse := 0, 0
		for run := range runs {
			rng := rand.New(rand.NewPCG(uint64(run), 11))
			got, err := Compare(before.draws(rng, replicas, inHalfAnHour, none, true),
				c.after.draws(rng, replicas, inHalfAnHour, c.extra, true), Options{Column: "cpu"})
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range got.Changes {
				if change.Verdict == verdict.Worse {
					worse++
					if change.Confirmed() {
						confirmed++
					}
				}
			}
		}
		t.Logf("%s: worse in %d of %d runs, confirmed in %d", name, worse, runs, confirmed)
		if worse < runs*9/10 || c.confirmed && confirmed < runs*9/10 || !c.confirmed && confirmed > 1 {
			t.Errorf("%s: worse in %d of %d runs, confirmed in %d", name, worse, runs, confirmed)
		}
	}
}
