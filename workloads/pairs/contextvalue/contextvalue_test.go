package contextvalue

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

func newLedger(tenants int) *ledger {
	r := rand.New(rand.NewPCG(2, 1))
	l := &ledger{plans: map[string]*plan{}, owed: map[string]float64{}}
	for i := range tenants {
		p := &plan{free: r.IntN(100)}
		for region := range p.perByte {
			p.perByte[region] = r.Float64()
		}
		l.plans[fmt.Sprintf("tenant-%d", i)] = p
	}
	return l
}

// messages are from the tenants and from some who left.
func messages(n, tenants int) []message {
	r := rand.New(rand.NewPCG(2, 2))
	all := make([]message, n)
	for i := range all {
		body := make([]byte, 20+int(r.ExpFloat64()*1500))
		for j := range body {
			body[j] = "abcdefg  "[r.IntN(9)]
		}
		tenant := fmt.Sprintf("tenant-%d", r.IntN(tenants+tenants/20+1))
		all[i] = message{tenant: tenant, region: r.IntN(4), weight: 1 + r.Float64(), body: body}
	}
	return all
}

// BenchmarkConsume consumes batches of a thousand, one after another.
func BenchmarkConsume(b *testing.B) {
	const tenants, batch = 10_000, 1000
	l, all := newLedger(tenants), messages(10*batch, tenants)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	consume := cure.Built(before, after)
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		if _, err := consume(ctx, l, all[at:at+batch]); err != nil {
			b.Fatal(err)
		}
		at = (at + batch) % len(all)
	}
}

func TestSame(t *testing.T) {
	l := [2]*ledger{newLedger(100), newLedger(100)}
	all := messages(2000, 100)
	ctx, stop := context.WithCancel(context.Background())
	nobody := 0
	for i := 0; i < len(all); i += 100 {
		a, err1 := before(ctx, l[0], all[i:i+100])
		b, err2 := after(ctx, l[1], all[i:i+100])
		if a != b || err1 != nil || err2 != nil {
			t.Errorf("batch %d: %d, %v before, %d, %v after", i, a, err1, b, err2)
		}
		nobody += 100 - a
	}
	if !maps.Equal(l[0].owed, l[1].owed) || len(l[0].owed) != 100 {
		t.Errorf("%v before, %v after", l[0].owed, l[1].owed)
	}
	if nobody == 0 || nobody > 500 {
		t.Errorf("%d messages of nobody", nobody)
	}
	stop()
	if _, err := before(ctx, l[0], all); err != errStopped {
		t.Errorf("stopped: %v before", err)
	}
	if _, err := after(ctx, l[1], all); err != errStopped {
		t.Errorf("stopped: %v after", err)
	}
}
