package arenapbtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestChecks runs the program testdata/stale in the builds that find mistakes. It
// builds with -race only where the toolchain can.
func TestChecks(t *testing.T) {
	if testing.Short() || checks {
		t.Skip("builds programs; one build of the tests suffices")
	}
	source, err := os.ReadFile("testdata/stale/main.go")
	if err != nil {
		t.Fatal(err)
	}
	const late = "a freed %s was written"
	for _, build := range []struct {
		flag  string
		finds map[string]string // mistake → words of the report
	}{
		{"-race", map[string]string{
			"read": "DATA RACE", "list": "DATA RACE", "text": "DATA RACE", "write": "DATA RACE", "goroutine": "DATA RACE",
		}},
		{"-tags=arenadebug", map[string]string{
			"read": "is nil, not", "list": "nil pointer dereference",
			"text": fmt.Sprintf(late, "uint8"),
		}},
	} {
		t.Run(build.flag, func(t *testing.T) {
			if build.flag == "-race" && os.Getenv("HEAPWRIGHT_THOROUGH") == "" {
				t.Skip("it takes seconds: HEAPWRIGHT_THOROUGH=1 runs it")
			}
			bin := filepath.Join(t.TempDir(), "stale")
			if out, err := exec.Command("go", "build", "-o", bin, build.flag, "./testdata/stale").CombinedOutput(); err != nil {
				t.Skipf("this toolchain cannot build with %s: %v\n%s", build.flag, err, out)
			}
			if out, err := exec.Command(bin, "fine").CombinedOutput(); err != nil {
				t.Fatalf("a program without mistakes: %v\n%s", err, out)
			}
			for mistake, want := range build.finds {
				out, err := exec.Command(bin, mistake).CombinedOutput()
				if err == nil || !strings.Contains(string(out), want) {
					t.Errorf("%s: %v; want a report with %q:\n%s", mistake, err, want, out)
				}
				// A late write is found later: the report names the line that freed.
				line := lineOf(string(source), mistake, "// the use")
				if strings.Contains(want, "written") {
					line = lineOf(string(source), mistake, "a.Free()")
				}
				if !strings.Contains(string(out), "main.go:"+strconv.Itoa(line)) {
					t.Errorf("%s: the report does not name line %d:\n%s", mistake, line, out)
				}
			}
		})
	}
}

// lineOf returns the number of the first line with some words after the case of
// a mistake.
func lineOf(source, mistake, words string) int {
	before, after, _ := strings.Cut(source, "case "+strconv.Quote(mistake))
	upTo, _, _ := strings.Cut(after, words)
	return 1 + strings.Count(before+upTo, "\n")
}
