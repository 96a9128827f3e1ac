package finding

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
)

// Test code ranks below the program's, whatever it could save; a line that calls
// a dependency is there for the dependency.
func TestFindingsOfTestCodeRankLast(t *testing.T) {
	made := func(file string, high float64) Finding {
		f := Finding{Rule: file, File: file, Line: 1}
		f.CPU.High = high
		return f
	}
	outside := made("outside_test.go", 0.3)
	outside.Library = []LibraryLine{{Share: 1}}
	all := []Finding{made("x_test.go", 0.9), made("x.go", 0.1), made("", 0.2), outside}
	rank(all)
	got := ""
	for _, f := range all {
		got += f.Rule + " "
	}
	if want := "outside_test.go  x.go x_test.go "; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}

// Lines of one function of which a rule says the same are one finding, whose range
// adds theirs up.
func TestOneCauseOneFinding(t *testing.T) {
	made := func(line int, function string, low, high float64) Finding {
		return Finding{Rule: "map", File: "a.go", Line: line, Function: function, Title: "a map grows", CPU: evidence.Range{Low: low, High: high}}
	}
	all := []Finding{made(9, "f", 0.1, 0.3), made(12, "f", 0.05, 0.2), made(30, "g", 0, 0.15), made(15, "f", 0, 0.1)}
	all[3].Title = "another"
	got := group(all, 0.4)
	if len(got) != 3 || got[0].Line != 9 || len(got[0].Others) != 1 || got[0].Others[0].Line != 12 {
		t.Fatalf("%+v", got)
	}
	if r := got[0].CPU; r.Low < 0.149 || r.Low > 0.151 || r.High != 0.4 {
		t.Errorf("together they save %v", r)
	}
}

// The holder of much memory is another problem than the garbage of its line.
func TestHolderBesideGarbage(t *testing.T) {
	garbage := Finding{Rule: "request-buffer", File: "a.go", Line: 9, CPU: evidence.Range{High: 0.3}}
	small, large := Finding{Rule: "large-holder", File: "a.go", Line: 9}, Finding{Rule: "large-holder", File: "a.go", Line: 9, Weight: 0.05, Apart: true}
	if got := group([]Finding{garbage, small}, 1); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if got := group([]Finding{garbage, large}, 1); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// A setting that only spares collections comes after the lines of the program, unless it is
// sure to save twice as much.
func TestSettingsBehindLines(t *testing.T) {
	line := func(high float64, sure evidence.Confidence) Finding {
		return Finding{File: "a.go", Line: 1, CPU: evidence.Range{High: high}, Confidence: sure}
	}
	for _, test := range []struct {
		sure  evidence.Confidence
		lines []Finding
		want  int
	}{
		{evidence.Medium, []Finding{line(0.5, evidence.Low), line(0.3, evidence.Low)}, 1},
		{evidence.Medium, []Finding{{File: "a.go", Line: 1, CPU: evidence.Range{Low: 0.1, High: 0.5}, Confidence: evidence.Low}}, 1},
		{evidence.Medium, []Finding{line(0.3, evidence.Medium), line(0.05, evidence.High)}, 2},
		{evidence.Medium, []Finding{line(0.15, evidence.Medium), line(0.05, evidence.High)}, 0},
		{evidence.Low, []Finding{line(0.15, evidence.Medium), line(0.05, evidence.Low)}, 2},
		{evidence.Medium, nil, 0},
	} {
		f := Finding{Spares: true, Confidence: test.sure}
		if got := f.behind(test.lines, 0.4); got != test.want {
			t.Errorf("%+v: at %d, want %d", test, got, test.want)
		}
	}
	leak := Finding{Grows: true, Confidence: evidence.High, Title: "goroutines pile up"}
	if ordered, notes := orderSettings([]Finding{leak, {Rule: "collecting", Spares: true, CPU: evidence.Range{High: 0.3}}}); len(ordered) != 1 || len(notes) != 1 {
		t.Errorf("%+v, %q", ordered, notes)
	}
}
