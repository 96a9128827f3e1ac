package contest

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

var sink []byte

func TestMeasure(t *testing.T) {
	dropped := 0
	w := &Work{Name: "copies", About: "A text", Data: []byte("some text"), Keeps: 2}
	for _, name := range []string{"first", "**second**"} {
		w.AddKeeping(name, func(data []byte) error {
			sink = append([]byte(nil), data...)
			return nil
		}, func() { dropped++ })
	}
	if err := errors.Join(w.Check(), w.measure(t.Context(), 3, time.Microsecond, 1)); err != nil {
		t.Fatal(err)
	}
	for _, c := range w.contestants {
		if len(c.cpus) != 3 || len(c.marks) != 3 || c.allocs[0] < 1 {
			t.Errorf("%s: %d rounds, %v allocations", c.name, len(c.cpus), c.allocs)
		}
	}
	if want := 2 + 2*2*4; dropped != want { // a check, and twice in each round; one warms up
		t.Errorf("results were dropped %d times, want %d", dropped, want)
	}
	table := w.table()
	if !strings.HasPrefix(table, "A text: 9 bytes.\n") || !regexp.MustCompile(`(?m)^\| first \| \S+ \| (1\.000|NaN) \| 1\S* \| \S+ \| \S+ \|$`).MatchString(table) {
		t.Error(table)
	}
}

func TestCheck(t *testing.T) {
	w := new(Work).Add("fails", func([]byte) error { return errors.New("no input") })
	if err := w.Check(); err == nil || err.Error() != "fails: no input" {
		t.Error(err)
	}
}
