package collect

import (
	"fmt"
	"testing"
)

// The counters are since the start: an hour without collections must not hide
// that the window is a third collecting.
func TestCollectorShareIsOfTheWindow(t *testing.T) {
	vars := func(format string, gc, idleMark, idle, total float64) []byte {
		return fmt.Appendf(nil, format, fmt.Sprintf(`{"/cpu/classes/gc/total:cpu-seconds": %v, "/cpu/classes/gc/mark/idle:cpu-seconds": %v,
			"/cpu/classes/idle:cpu-seconds": %v, "/cpu/classes/total:cpu-seconds": %v}`, gc, idleMark, idle, total))
	}
	for _, format := range []string{`%s`, `{"cmdline": ["x"], "runtime": %s}`} {
		share := collectorShare(vars(format, 1, 0.5, 3000, 3600), vars(format, 15, 4.5, 3030, 3660))
		if share == nil || *share < 0.33 || *share > 0.34 { // 10 s of 30 s
			t.Errorf("%s: %v", format, share)
		}
		if share := collectorShare(vars(format, 1, 0, 3000, 3600), vars(format, 0.1, 0, 1, 2)); share != nil {
			t.Errorf("after a restart: %v", *share)
		}
	}
	if share := collectorShare([]byte(`{"memstats": {}}`), []byte(`{"memstats": {}}`)); share != nil {
		t.Errorf("by memstats: %v", *share)
	}
}
