package serve

import (
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/serve/scrape"
	"github.com/heapwright/heapwright/internal/store"
)

// The requests of a process are counted in the time that its CPU profiles record, whatever
// its load is at other times, and after a restart.
func TestWork(t *testing.T) {
	labels := store.Labels{"instance": "a", "version": "v1"}
	var entries []store.Entry
	total := int64(0)
	for second := 0; second <= 600; second += 15 {
		at := noon.Add(time.Duration(second) * time.Second)
		entries = append(entries, store.Entry{Kind: store.Figures, Time: at, Labels: labels,
			Figures: []store.Figure{{Name: scrape.Requests, Value: total}}})
		switch { // 1000 requests in a second while it is recorded, for 30 s in 5 min; else 10
		case second == 300:
			total = 0 // it restarts
			fallthrough
		case second%300 < 30:
			total += 15 * 1000
		default:
			total += 15 * 10
		}
		if second%300 == 0 {
			entries = append(entries, store.Entry{Kind: store.CPU, Time: at, Duration: 30 * time.Second, Labels: labels})
		}
	}
	entries = entries[:len(entries)-1] // the last recording is not over
	q := store.Query{Kind: store.CPU, From: noon, To: noon.Add(time.Hour), Labels: labels}
	if got := work(entries, q); got < 59_999 || got > 60_001 {
		t.Errorf("%v requests in 60 s of recordings, want 60000", got)
	}
	q.Labels = store.Labels{"instance": "b", "version": "v1"}
	if got := work(entries, q); got != 0 {
		t.Errorf("%v requests of a process without figures", got)
	}
}
