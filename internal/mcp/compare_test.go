package mcp

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A patch that wins by other means than better code, or reaches out of the module, is
// refused before anything of it is built.
func TestRefusedPatches(t *testing.T) {
	c := connect(t, app(t, nil), nil)
	const outside = "--- %[1]s/x.go\n+++ %[1]s/x.go\n@@ -1 +1 @@\n-package app\n+package x\n"
	memo := with(
		"// Join joins", "var kept = map[int]string{}\n\n// Join joins",
		loop, "\tif s, ok := kept[len(words)]; ok {\n\t\treturn s\n\t}\n"+loop,
		"\treturn out\n", "\tkept[len(words)] = out\n\treturn out\n")
	for name, p := range map[string]struct{ patch, rule, what string }{
		"no diff":   {"Dear heapwright, use a pool.", "diff", "no unified diff"},
		"stale":     {strings.ReplaceAll(with(loop, ""), "-"+loop, "-\tvar out string\n"), "diff", "does not apply"},
		"outside":   {fmt.Sprintf(outside, "a/../.."), "outside", "below"},
		"absolute":  {fmt.Sprintf(outside, "/etc"), "outside", "below"},
		"go.mod":    {diff("go.mod", goMod, strings.Replace(goMod, "1.26", "1.25", 1)), "module", "go.mod"},
		"test":      {diff("join_test.go", tests, strings.Replace(tests, "1000", "1", 1)), "test", "join_test.go"},
		"hook":      {"--- /dev/null\n+++ b/.git/hooks/post-checkout\n@@ -0,0 +1 @@\n+rm -r .\n", "file", "hidden"},
		"new test":  {"--- /dev/null\n+++ b/new_test.go\n@@ -0,0 +1 @@\n+package app\n", "test", "new_test.go"},
		"init":      {diff("join.go", source, source+"\nfunc init() {}\n"), "init", "init"},
		"exec":      {using("os/exec", "exec.Command(`sh`).Run()"), "import", "os/exec"},
		"files":     {using("os", "os.Remove(`/tmp/x`)"), "system", "os.Remove"},
		"gc":        {using("runtime/debug", "debug.SetGCPercent(-1)"), "gc", "SetGCPercent"},
		"benchmark": {using("os", "if len(os.Args) > 1 { return `` }"), "benchmark", "os.Args"},
		"memo":      {memo, "memo", "kept"},
		"callers":   {with("words []string", "words ...string"), "api", "Join"},
		"no Go":     {with("return out", "return nothing"), "types", "undefined: nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			var j judgement
			text, failed := c.call(t, "compare_patch", map[string]any{"patch": p.patch}, &j)
			if failed || j.Outcome != "rejected" || len(j.Refused) == 0 || j.Refused[0].Rule != p.rule {
				t.Errorf("%+v\n%s; want rule %s", j, text, p.rule)
			}
			if !strings.Contains(j.Why, p.what) {
				t.Errorf("%s, want %s", j.Why, p.what)
			}
			if !strings.Contains(text, "Nothing of the patch was built") || len(j.Effects) > 0 {
				t.Error(text)
			}
		})
	}
	c.unchanged(t)
	if all, _ := filepath.Glob(filepath.Join(c.out, "*")); len(all) > 0 {
		t.Errorf("something was measured: %q", all)
	}
}

// wrong is good with a mistake.
var wrong = strings.Replace(good, "','", "';'", 1)

// The others are measured, and those that are better are tested.
func TestMeasuredPatches(t *testing.T) {
	const large = "if len(words) == 1000 "
	for name, p := range map[string]struct {
		patch, outcome, why string
		long                bool
	}{
		"good":    {patch: diff("join.go", source, good), outcome: "kept", why: "the tests of example.org/app pass"},
		"crash":   {patch: with(loop, loop+large+"{ panic(`no`) }\n"), why: "app.Join fails with it: ", long: true},
		"wrong":   {patch: diff("join.go", source, wrong), why: "tests fails with it: --- FAIL: TestJoin", long: true},
		"useless": {patch: with(loop, "\tvar out string\n"), why: "not proven better", long: true},
		"endless": {patch: with(loop, loop+large+"{ for {} }\n"), why: "app.Join fails with it: timed out", long: true},
		"worse":   {patch: with(loop, loop+"_ = strings.Repeat(`x`, 1<<22)\n"), why: "worse: ", long: true},
	} {
		t.Run(name, func(t *testing.T) {
			if p.long && !thorough {
				t.Skip("it takes a quarter of a minute: HEAPWRIGHT_THOROUGH=1 tries it")
			}
			t.Parallel()
			c := connect(t, app(t, nil), nil)
			var j judgement
			text, failed := c.call(t, "compare_patch", map[string]any{"patch": p.patch, "budget": 20}, &j)
			if want := cmp.Or(p.outcome, "rejected"); failed || j.Outcome != want || !strings.Contains(j.Why, p.why) {
				t.Fatalf("%s: %s; want %s: %s\n%s", j.Outcome, j.Why, want, p.why, text)
			}
			c.unchanged(t)
			if name != "good" {
				return
			}
			e := j.Effects[0]
			if e.Verdict != "better" || e.Interval == nil || e.Interval.High >= 1 || j.Coverage.Measured != 1 {
				t.Errorf("%+v\n%s", j, text)
			}
			for _, want := range []string{"app.Join", "bytes/op", "better", "tests passes", "1 benchmark measured"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if _, err := os.Stat(j.Report); err != nil {
				t.Error(err)
			}
			if len(c.progress) == 0 {
				t.Error("no progress")
			}
		})
	}
}
