package load

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// Whatever the shape, requests are due in order, within their part, and as
// many of them as the rate promises.
func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, err := Plan{
			Shape:       rapid.SampledFrom(Shapes()).Draw(t, "shape"),
			Warmup:      time.Duration(rapid.IntRange(-1, 3000).Draw(t, "warmup")) * time.Millisecond,
			Duration:    time.Duration(rapid.IntRange(20_000, 60_000).Draw(t, "duration")) * time.Millisecond,
			Factor:      rapid.Float64Range(1.5, 50).Draw(t, "factor"),
			Storms:      rapid.IntRange(1, 5).Draw(t, "storms"),
			StormLength: time.Duration(rapid.IntRange(10, 2000).Draw(t, "storm")) * time.Millisecond,
		}.WithDefaults()
		if err != nil {
			t.Fatal(err)
		}
		rate := rapid.Float64Range(0.5, 100).Draw(t, "rate")
		s := newSchedule(plan.segments(), rate)
		measured, before := 0, time.Duration(0)
		for i := range s.total {
			due, k := s.due(i)
			p := s.parts[k]
			if due < before || due < p.begin || due > p.begin+p.length {
				t.Fatalf("request %d is due at %v, after one at %v, in the part from %v for %v", i, due, before, p.begin, p.length)
			}
			// The integral of the rate until then is the number of requests.
			x := (due - p.begin).Seconds()
			n := p.before + p.from*x + (p.to-p.from)/p.length.Seconds()*x*x/2
			if math.Abs(n-float64(i)) > 1e-3 {
				t.Fatalf("request %d is due at %v, when %g were", i, due, n)
			}
			if p.phase != "" {
				measured++
			}
			before = due
			if wait, stop := s.Pace(due, i); stop || wait > 0 {
				t.Fatalf("request %d, due at %v, is not sent then: wait %v, stop %v", i, due, wait, stop)
			}
		}
		if _, stop := s.Pace(before, s.total); !stop {
			t.Fatal("it does not end")
		}
		// Each part may round a request away or towards it.
		if want := rate * plan.Requests(""); math.Abs(float64(measured)-want) > float64(len(s.parts)) {
			t.Fatalf("%d requests in the phases, want %g", measured, want)
		}
	})
}

// A pacer that is held up between the clock that vegeta reads and its own must
// not take that for the time at which the load began.
func TestScheduleKnowsWhenTheLoadBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSchedule([]segment{{"constant", time.Second, 1, 1}}, 100)
		time.Sleep(time.Millisecond)
		began := time.Now()
		for i, heldUp := range []time.Duration{5 * time.Millisecond, time.Millisecond, 0, 3 * time.Millisecond} {
			elapsed := time.Since(began)
			time.Sleep(heldUp)
			s.Pace(elapsed, uint64(i))
		}
		if lag := time.Duration(s.lag.Load()); lag != time.Millisecond {
			t.Errorf("the load is taken to have begun %v after its origin, it did %v after", lag, time.Millisecond)
		}
	})
}

func TestPlan(t *testing.T) {
	storms, err := Plan{Shape: "storm"}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if p := storms.Phases(); len(p) != 2 || p[0] != "calm" || p[1] != "storm" {
		t.Errorf("phases %v", p)
	}
	if storms.Peak() != 20 || storms.Length() != 23*time.Second {
		t.Errorf("peak %g, length %v", storms.Peak(), storms.Length())
	}
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{Plan{Shape: "tide"}, `no load shape "tide"; give one of constant, lifetime, ramp, storm`},
		{Plan{Shape: "storm", Duration: 5 * time.Second}, "3 storms of 2s, with calm between, do not fit into 5s; give fewer or shorter ones, or a duration of 18s"},
		{Plan{Factor: 0.5}, "a storm of 0.5 times the calm rate: give a factor above 1, at most 10000"},
		{Plan{Duration: -1}, "durations and numbers of a load cannot be negative"},
	} {
		if _, err := c.plan.WithDefaults(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.plan, err, c.want)
		}
	}
}

func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		can := math.Exp(rapid.Float64Range(math.Log(leastRate), math.Log(MaxRate/2)).Draw(t, "capacity"))
		c, err := search(firstRate <= can, func(rate float64) (bool, error) { return rate <= can, nil })
		if err != nil && can < 2*leastRate {
			return // between two steps it may be missed
		}
		if err != nil || c.Sustained > can || c.Broke <= can || c.Broke > 1.001*math.Sqrt2*c.Sustained {
			t.Fatalf("%g requests per second: found %+v, %v", can, c, err)
		}
	})
}
