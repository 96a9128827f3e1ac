package conversion

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func accessLog(lines int) []byte {
	r := rand.New(rand.NewPCG(1, 1))
	var log []byte
	for range lines {
		log = fmt.Appendf(log, "GET /v1/customers/%d/orders?sort=date&page=%d %d\n", r.IntN(50), r.IntN(4), r.IntN(100_000))
	}
	return log
}

func BenchmarkCount(b *testing.B) {
	log := accessLog(20_000)
	count := cure.Built(before, after)
	b.ReportAllocs()
	for b.Loop() {
		count(log)
	}
}

func TestSame(t *testing.T) {
	log := accessLog(2000)
	if !reflect.DeepEqual(before(log), after(log)) {
		t.Error("the counts differ")
	}
}
