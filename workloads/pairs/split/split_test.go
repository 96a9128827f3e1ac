package split

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// samples have three to nine labels, and few are broken.
func samples(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(8, seed))
	names := []string{"code", "host", "zone", "version", "method", "tenant", "shard", "tier"}
	all := make([]string, n)
	for i := range all {
		labels := []string{fmt.Sprintf("route=/api/v%d/%c", r.IntN(3), 'a'+rune(r.IntN(20)))}
		for _, name := range names[:2+r.IntN(len(names)-1)] {
			labels = append(labels, fmt.Sprintf("%s=%s-%d", name, name[:2], r.IntN(20)))
		}
		r.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
		all[i] = fmt.Sprintf("%s %.3f", strings.Join(labels, ","), r.ExpFloat64())
		if r.IntN(200) == 0 {
			all[i] = strings.ReplaceAll(all[i], " ", ";")
		}
	}
	return all
}

// BenchmarkSum sums a thousand samples.
func BenchmarkSum(b *testing.B) {
	const batch = 1000
	all := samples(1, 20*batch)
	sum := cure.Built(before, after)
	sums := map[string]*series{}
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		sum(all[at:at+batch], []string{"route", "host", "zone"}, sums)
		at = (at + batch) % len(all)
	}
}

func TestSame(t *testing.T) {
	all := append(samples(2, 2000), "host=x", "host=x one", " 1", "host=y,,host 2")
	for _, by := range [][]string{{"route"}, {"host", "code"}, {"tier", "none"}, {"none"}} {
		a, b := map[string]*series{}, map[string]*series{}
		badA, badB := before(all, by, a), after(all, by, b)
		if badA != badB || badA < 3 || badA > 100 {
			t.Errorf("%s: %d bad before, %d after", by, badA, badB)
		}
		if len(a) != len(b) || len(a) < 10 && by[0] != "none" {
			t.Errorf("%s: %d series before, %d after", by, len(a), len(b))
		}
		for key, s := range a {
			if b[key] == nil || *b[key] != *s {
				t.Errorf("%s: %v before, %v after", key, s, b[key])
			}
		}
	}
}
