package diagnose

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock(time.Minute)
		c.compiled(10 * time.Second)
		for _, test := range []struct {
			waits, least, want time.Duration
		}{
			{0, 0, 55 * time.Second},
			{0, time.Minute, time.Minute},
			{50 * time.Second, 0, 5 * time.Second},
			{0, 20 * time.Second, 20 * time.Second},
			{30 * time.Second, 20 * time.Second, 20 * time.Second},
		} {
			time.Sleep(test.waits)
			if got := time.Until(c.until(analysisPart, test.least)); got != test.want {
				t.Errorf("%v later, at least %v: %v left, want %v", test.waits, test.least, got, test.want)
			}
		}
	})
}
