package arena

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestChecks runs the program testdata/stale in the builds that find mistakes.
// It builds with -race only where the toolchain can.
func TestChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	if plainHeap || !reuse {
		t.Skip("one build of the tests suffices")
	}
	source, err := os.ReadFile("testdata/stale/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, build := range []struct {
		name, flag string
		finds      map[string]string // mistake → words of the report
	}{
		{"race", "-race", map[string]string{
			"free": "DATA RACE", "reset": "DATA RACE", "bytes": "DATA RACE", "mark": "DATA RACE", "goroutines": "DATA RACE",
		}},
		{"asan", "-asan", map[string]string{
			"free": "use-after-poison", "reset": "use-after-poison", "bytes": "use-after-poison", "mark": "use-after-poison",
		}},
		{"arenadebug", "-tags=arenadebug", map[string]string{
			"reset": "a freed main.node was written", "bytes": "a freed uint8 was written, at offset", "mark": "a freed main.node was written",
			"freed": "New on an arena that has been freed", "leak": "never freed: 1 objects, ",
		}},
	} {
		t.Run(build.name, func(t *testing.T) {
			bin := filepath.Join(t.TempDir(), "stale")
			if out, err := exec.Command("go", "build", "-o", bin, build.flag, "./testdata/stale").CombinedOutput(); err != nil {
				t.Skipf("this toolchain cannot build with %s: %v\n%s", build.flag, err, out)
			}
			if out, err := exec.Command(bin, "fine").CombinedOutput(); err != nil {
				t.Fatalf("a program without mistakes: %v\n%s", err, out)
			}
			for mistake, want := range build.finds {
				out, err := exec.Command(bin, mistake).CombinedOutput()
				if err == nil && mistake != "leak" || !strings.Contains(string(out), want) {
					t.Errorf("%s: %v; want a report with %q:\n%s", mistake, err, want, out)
					continue
				}
				use, end := linesOf(string(source), mistake)
				if use != 0 && build.name != "arenadebug" && !strings.Contains(string(out), "main.go:"+strconv.Itoa(use)) {
					t.Errorf("%s: the report does not name line %d, the use:\n%s", mistake, use, out)
				}
				if end != 0 && build.name != "asan" && !strings.Contains(string(out), "main.go:"+strconv.Itoa(end)) {
					t.Errorf("%s: the report does not name line %d, the free:\n%s", mistake, end, out)
				}
			}
		})
	}
}

func TestVetReportsCopies(t *testing.T) {
	if testing.Short() || plainHeap || !reuse {
		t.Skip("runs the go command; one build of the tests suffices")
	}
	out, err := exec.Command("go", "vet", "-copylocks", "./testdata/copies").CombinedOutput()
	for _, name := range []string{"Arena", "Pool", "Slab[int]", "Map[int, int]", "Buffer"} {
		if err == nil || !strings.Contains(strings.ReplaceAll(string(out), ",int", ", int"), "arena."+name+" contains") {
			t.Errorf("go vet does not report a copied %s: %v\n%s", name, err, out)
		}
	}
}

// TestFastPathsAreInlined asks the compiler: the fast paths are just within the
// inliner's budget.
func TestFastPathsAreInlined(t *testing.T) {
	if testing.Short() || Backend != "slab" || !reuse {
		t.Skip("runs the go command; one build of the tests suffices")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", "-o", os.DevNull, "./testdata/stale").CombinedOutput()
	for _, call := range []string{`New\[.*\]`, "newFast", `\(\*Slab\[.*\]\)\.New`, "Bytes", "rawFast", `\(\*Arena\)\.Reset`, "resetFast"} {
		if err != nil || !regexp.MustCompile(`(?m)^testdata.stale.* inlining call to arena\.`+call+"$").Match(out) {
			t.Errorf("a call of %s is not inlined: %v\n%s", call, err, out)
		}
	}
}

// linesOf returns the lines of stale's source in which a mistake uses memory and in
// which that was freed, 0 if they are not marked.
func linesOf(source, mistake string) (use, end int) {
	inside := false
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.Contains(line, "case "):
			inside = strings.Contains(line, strconv.Quote(mistake))
		case inside && strings.Contains(line, "// the use"):
			use = i + 1
		case inside && (strings.Contains(line, "a.Free()") || strings.Contains(line, "a.Reset")):
			end = i + 1
		}
	}
	return use, end
}
