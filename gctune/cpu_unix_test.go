//go:build unix

package gctune

import "testing"

// TestCPUClockRuns works until the clock has moved.
func TestCPUClockRuns(t *testing.T) {
	var c cpuClock
	first := c.seconds()
	if first <= 0 {
		t.Fatalf("the process has had %v s of CPU", first)
	}
	for c.seconds() == first {
		if garbage(1 << 20).data[0] != 0 {
			t.Fatal("never")
		}
	}
	if now := c.seconds(); now < first {
		t.Errorf("%v s of CPU after %v s", now, first)
	}
}
