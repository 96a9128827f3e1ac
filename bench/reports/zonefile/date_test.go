package zonefile

import (
	"testing"
	"time"
	_ "time/tzdata"
)

func TestParse(t *testing.T) {
	got, err := Parse("Tue, 3 Jun 2025 10:00:00 PDT")
	if want := time.Date(2025, 6, 3, 17, 0, 0, 0, time.UTC); err != nil || !got.Equal(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func BenchmarkParse(b *testing.B) {
	dates := []string{"Tue, 3 Jun 2025 10:00:00 PDT", "3 Jan 2025 10:00:00 EST", "Tue, 3 Jun 2025 10:00:00 EDT"}
	for i := 0; b.Loop(); i++ {
		if _, err := Parse(dates[i%len(dates)]); err != nil {
			b.Fatal(err)
		}
	}
}
