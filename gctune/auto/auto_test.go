package auto

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/gctune"
)

// The import has started gctune in this test binary, too. If GCTUNE_AUTO_CHILD is
// set, the binary prints gctune's state.
func TestMain(m *testing.M) {
	if os.Getenv("GCTUNE_AUTO_CHILD") != "" {
		println(gctune.Stats().State.String())
		return
	}
	os.Exit(m.Run())
}

func TestParse(t *testing.T) {
	dir := t.TempDir()
	o, on, err := parse([]string{"HOME=/x", "HEAPWRIGHT_GCTUNERS=1", prefix + "_MIN_HEAP=256MiB", prefix + "_LIMIT=1GiB", prefix + "_GOGC=off",
		prefix + "_MAX_GC_CPU=0.2", prefix + "_MIN_GOGC=8", prefix + "_PROFILES=" + dir, prefix + "_PROFILES_AT=0.7", prefix + "_PROFILES_EVERY=30s"})
	if err != nil || !on {
		t.Fatal(on, err)
	}
	if o.MinHeap != 256<<20 || o.Limit != 1<<30 || o.GOGC != -1 || o.MaxGCCPU != 0.2 || o.MinGOGC != 8 {
		t.Errorf("options %+v", o)
	}
	if len(o.Hooks) != 2 || o.Hooks[1].Share != 0.7 || o.Hooks[1].Every != 30*time.Second || o.Hooks[1].Do == nil || !(o.Hooks[0].Share < 0.7) {
		t.Errorf("hooks %+v", o.Hooks)
	}
	for setting, want := range map[string]int64{"cgroup": 0, "off": gctune.NoLimit} {
		if o, _, err := parse([]string{prefix + "_LIMIT=" + setting}); err != nil || o.Limit != want {
			t.Errorf("%s: %d, %v", setting, o.Limit, err)
		}
	}
	if _, on, err := parse([]string{prefix + "=off"}); on || err != nil {
		t.Errorf("off: %v, %v", on, err)
	}
}

func TestParseNamesTheMistakeAndTheRemedy(t *testing.T) {
	for kv, want := range map[string]string{
		"_MIN_HEAP=256M":        "256MiB",
		"_MIN_HEAP=-1":          "is not a size",
		"_MIN_HEAP=":            "unset it",
		"_MINHEAP=1GiB":         prefix + "_MIN_HEAP",
		"_LIMIT=0":              "size over 0",
		"_LIMIT=all":            "is not a size",
		"_GOGC=0":               "or off",
		"_GOGC=100001":          "from 1 to 100000",
		"_MIN_GOGC=101":         "from 1 to 100",
		"_MAX_GC_CPU=0.8":       "at most 0.5",
		"_MAX_GC_CPU=25":        "such as 0.25",
		"_MAX_GC_CPU=NaN":       "such as 0.25",
		"_MIN_GOGC=x":           "whole number",
		"=yes":                  "on or off",
		"_PROFILES_AT=0.5":      "_PROFILES is not set",
		"_PROFILES_EVERY=-1s":   "such as 30s",
		"_PROFILES=/proc/here/": "give a folder",
	} {
		_, _, err := parse([]string{prefix + kv})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), prefix) {
			t.Errorf("%s: %v; want a word on %q", kv, err, want)
		}
	}
}

// TestImport runs a process for each environment.
func TestImport(t *testing.T) {
	for _, tt := range []struct {
		env         []string
		state, says string
	}{
		{[]string{prefix + "_MIN_HEAP=64MiB"}, "calm", "in charge"},
		{[]string{prefix + "=off"}, "stopped", ""},
		{[]string{prefix + "_MIN_HEAP=many"}, "stopped", "gctune/auto: not started"},
		{[]string{prefix + "_LIMIT=64KiB"}, "stopped", prefix + "_LIMIT: 65536B is below the "},
		{[]string{prefix + "_MIN_HEAP=2GiB", prefix + "_LIMIT=1GiB"}, "stopped", prefix + "_MIN_HEAP: the heap floor of 2.00GiB is above the limit of 1.00GiB: lower it, or raise the limit\n"},
		{[]string{prefix + "_GOGC=off", prefix + "_LIMIT=off"}, "stopped", prefix + "_GOGC: it is off and no memory limit is known"},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append(os.Environ(), "GCTUNE_AUTO_CHILD=1"), tt.env...)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), tt.state+"\n") || !strings.Contains(string(out), tt.says) {
			t.Errorf("%s: %v\n%s", tt.env, err, out)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("_MIN_HEAP=256MiB")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "_PROFILES") {
			return // makes folders
		}
		if _, on, err := parse([]string{prefix + s}); !on && err == nil && s != "=off" {
			t.Errorf("%q: off without an error", s)
		}
	})
}
