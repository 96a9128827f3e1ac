package evidence

import (
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

func TestConfidenceWithSamples(t *testing.T) {
	for _, test := range []struct {
		of      Confidence
		samples float64
		want    Confidence
	}{
		{High, 25, High}, {High, 24, Medium}, {High, 3, Medium}, {High, 2.9, Low}, {High, 0, Low},
		{Medium, 100, Medium}, {Medium, 3, Medium}, {Medium, 1, Low}, {Low, 1000, Low}, {High, math.Inf(1), High},
	} {
		if got := test.of.With(test.samples); got != test.want {
			t.Errorf("%s with %v samples is %s, want %s", test.of, test.samples, got, test.want)
		}
	}
}

// An object of the sampling rate is sampled with a probability of 1-1/e.
func TestSamplesOfHeap(t *testing.T) {
	const rate = 512 << 10
	e := built(t, Runtime{}, profiletest.NewHeap(0).Heap(100, 100, "example.org/app.f@/src/app/x.go:1"+profiletest.Main).File(t, "a"))
	for _, test := range []struct {
		amount     Amount
		low, above float64
	}{
		{Amount{10 * rate, 10 * rate / 64}, 9.9, 10.1},
		{Amount{10 * rate, 10}, 17, 18},
		{Amount{1000 * rate, 1}, 1e9, math.Inf(1)},
		{Amount{}, 0, 0},
	} {
		if got := e.Samples(test.amount); got < test.low || got > test.above {
			t.Errorf("%+v has the error of %v samples, want %v to %v", test.amount, got, test.low, test.above)
		}
	}
}
