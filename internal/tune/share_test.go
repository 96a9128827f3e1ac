package tune

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// The pages of the comparisons have the answer of the tuning and its decisions,
// and none of their own.
func TestOneAnswer(t *testing.T) {
	d := &Document{Answer: "Run with GOGC=250: -25.0% of CPU. No line of code stands out.", MaxRSS: 150 * mib}
	d.Modes = measured(outcome{"GOGC=400", verdict.Adopt, 0.6, 1.9}, outcome{"floor=100MiB", verdict.Adopt, 0.7, 1.2})
	d.Final = measured(outcome{"GOGC=250", verdict.Adopt, 0.75, 1.3}, outcome{"floor=100MiB", verdict.Reject, 1.1, 1.2})
	for _, doc := range d.Comparisons() {
		doc.Modes = append([]result.Mode{{Name: doc.Baseline}}, doc.Modes...)
	}
	all := []candidate{{mode: "GOGC=400"}, {mode: "floor=100MiB"}}
	d.Tried = judge(d.Modes, all, d.MaxRSS, Prices{})
	d.update(judge(d.Final, []candidate{{mode: "GOGC=250"}, {mode: "floor=100MiB"}}, d.MaxRSS, Prices{}))
	d.shareAnswer(Plan{})
	for _, doc := range d.Comparisons() {
		var page, summary bytes.Buffer
		if err := report.HTML(&page, doc); err != nil {
			t.Fatal(err)
		}
		if err := report.Markdown(&summary, doc); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{page.String(), summary.String()} {
			if strings.Contains(text, "Adopt ") || !strings.Contains(text, "Run with GOGC=250") {
				t.Errorf("it has a headline of its own:\n%.900s", text)
			}
		}
	}
	for mode, want := range map[string]verdict.Decision{"GOGC=400": verdict.Reject, "floor=100MiB": verdict.Reject} {
		if got := d.Modes.Tuning.Modes[mode]; got.Decision != want || got.Reason == "" {
			t.Errorf("%s is %+v in the first comparison, want %s", mode, got, want)
		}
	}
}
