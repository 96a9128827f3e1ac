package target

import (
	"errors"
	"os"
	"testing"
	"time"
)

// hanging makes two of this package's benchmarks hang.
const hanging = "HEAPWRIGHT_TEST_HANGING"

func BenchmarkListed(b *testing.B) {}
func BenchmarkHangs1(b *testing.B) { hang(b) }
func BenchmarkHangs2(b *testing.B) { hang(b) }
func BenchmarkLast(b *testing.B)   {}

func hang(b *testing.B) {
	if os.Getenv(hanging) == "" {
		b.Skip("it would never end")
	}
	time.Sleep(time.Hour)
}

// In a module of many packages, each has its share of a small budget.
func TestLeastListing(t *testing.T) {
	for _, test := range []struct {
		total    time.Duration
		packages int
		want     time.Duration
	}{
		{time.Hour, 1, time.Second},
		{2 * time.Second, 2, time.Second},
		{4 * time.Second, 10, 400 * time.Millisecond},
		{4 * time.Second, 100, 250 * time.Millisecond},
	} {
		if got := leastListing(test.total, test.packages); got != test.want {
			t.Errorf("of %v for %d packages, each has %v, want %v", test.total, test.packages, got, test.want)
		}
	}
}

// Benchmarks that hang share the time for the list. Once it is spent, the rest of
// the package is one failure, not one for each process.
func TestListIsBounded(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(hanging, "1")
	c := &Cell{Binaries: map[string][]string{"example.org/p": {self}}}
	found, err := new(Packages).Benchmarks(t.Context(), c, 3*time.Second/2)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Benchmark)
	}
	if len(found) != 3 || found[0].Err != nil || found[1].Err == nil || !errors.Is(found[2].Err, errNotListed) || names[2] != "(2 more)" {
		t.Errorf("found %q", names)
	}
}
