package inject

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/process"
)

// list asks the go command about a package.
func list(t testing.TB, dir, pkg string, env ...string) Package {
	t.Helper()
	var p Package
	if err := json.Unmarshal([]byte(goCommand(t, dir, env, "list", "-json", pkg)), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func goCommand(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if dir == hard {
		cmd.Env = append(cmd.Env, "GOWORK=off") // it is nobody's workspace
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// build builds a package with the probe and returns the binary.
func build(t testing.TB, dir, pkg string, kind Kind, env ...string) string {
	t.Helper()
	return buildWith(t, dir, pkg, kind, []Source{Dumps()}, env...)
}

func buildWith(t testing.TB, dir, pkg string, kind Kind, injections []Source, env ...string) string {
	t.Helper()
	overlay, err := Into(list(t, dir, pkg, env...), kind, injections...)
	if err != nil {
		t.Fatal(err)
	}
	document, err := overlay.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "binary.exe")
	args := []string{"build"}
	if kind == Test {
		args = []string{"test", "-c", "-vet=off"} // the vet of Go 1.20 does not see overlays
	}
	goCommand(t, dir, env, append(args, "-overlay", document, "-o", binary, pkg)...)
	return binary
}

// probed runs a binary that holds the probe and returns its dump.
func probed(t testing.TB, binary string, env []string, args ...string) (probe.Dump, process.Outcome) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dump")
	out, err := process.Run(t.Context(), process.Command{
		Path: binary, Args: args, Timeout: time.Minute,
		Env: append(append(os.Environ(), "HEAPWRIGHT_PROBE="+file, "DUMP="+file), env...),
	})
	if err != nil || out.Failure != "" {
		t.Fatalf("%v: %s: %s", err, out.Failure, out.LastOutput)
	}
	d, err := probe.ReadDump(file)
	if err != nil {
		t.Fatal(err)
	}
	return d, out
}

// hard is a module that makes it hard to add to it: it declares names that the
// probe imports, keeps to an old language and has files that are not built.
const hard = "testdata/hard"

func TestInjectedTest(t *testing.T) {
	binary := build(t, hard, ".", Test)
	d, _ := probed(t, binary, []string{"GOGC=150", "GOMEMLIMIT=1GiB", "MINE=1", "HEAPWRIGHT_PROBE_ENV=MINE"},
		"-test.bench=.", "-test.benchtime=200000x")
	if !d.Final {
		t.Error("no final write")
	}
	want := map[string]string{"GOGC": "150", "GOMEMLIMIT": "1GiB", "MINE": "1"}
	for key, v := range want {
		if d.Env[key] != v {
			t.Errorf("%s=%q, want %q", key, d.Env[key], v)
		}
	}
	if _, ok := d.Env["PATH"]; ok {
		t.Error("the dump tells more of the environment than it was asked for")
	}
	id, err := probe.Binary(binary)
	if err != nil {
		t.Fatal(err)
	}
	id = d.Identify(id)
	if !id.Reported || id.GOGC != 150 || id.MemoryLimit != 1<<30 || id.GoVersion != runtime.Version() {
		t.Errorf("%+v", id)
	}

	// 200 MB of garbage, none of it live: with a goal of 4 MB × 2.5 the
	// collector runs about 20 times, on a busy machine a few, and by rule of
	// package testing twice more.
	values, missing := probe.GC(false, 200000, &d, nil)
	if len(missing) > 0 {
		t.Errorf("missing: %v", missing)
	}
	if cycles := values["gc-cycles/op"] * 200000; cycles < 1 || cycles > 100 {
		t.Errorf("%v cycles", cycles)
	}
	if d.Cycles(true)-d.Cycles(false) < 2 {
		t.Errorf("cycles forced by package testing: %d of %d", d.Cycles(true)-d.Cycles(false), d.Cycles(true))
	}
	if f := values["gc-cpu-fraction"]; f <= 0 || f >= 1 || values["assist-cpu-fraction"] > f {
		t.Errorf("fractions %v", values)
	}
	if live := values["live-heap-bytes"]; live <= 0 || live > 10<<20 { // memory allocated while a cycle marks counts
		t.Errorf("live heap %v", live)
	}
	if p := values["stw-p99-sec"]; p <= 0 || p > 10 || math.IsInf(p, 0) {
		t.Errorf("pause %v", p)
	}
}

func TestInjectedCommand(t *testing.T) {
	binary := build(t, hard, "./cmd", Main)
	d, out := probed(t, binary, []string{"GOGC=off"}, "5")
	if d.Final {
		t.Error("a command has no end to write at")
	}
	if string(out.Stdout) != "done 0\n" {
		t.Errorf("printed %q", out.Stdout)
	}
	if d.Cycles(true) != 5 || d.Cycles(false) != 0 || d.CPUAtGC <= 0 && runtime.GOOS != "windows" {
		t.Errorf("5 forced cycles: %+v", d)
	}
	values, _ := probe.GC(true, 1, &d, nil)
	if live := values["live-heap-bytes"]; live < 32<<20 || live > 34<<20 {
		t.Errorf("32 MiB live: %v", d.Live)
	}
	if got := d.Identify(mode.Identity{}); got.GOGC != -1 || got.MemoryLimit != math.MaxInt64 {
		t.Errorf("%+v", got)
	}

	asleep, err := process.Run(t.Context(), process.Command{Path: binary, Args: []string{"5"}, Env: append(os.Environ(), "GODEBUG=gctrace=1")})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(asleep.LastOutput, "gc 4 @") {
		t.Errorf("asleep:\n%s", asleep.LastOutput)
	}
}

func TestInjectFindsTestMain(t *testing.T) {
	for pkg, testMain := range map[string]bool{"./own": false, "./outside": true, ".": true} {
		overlay, err := Into(list(t, hard, pkg), Test, Dumps())
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for path := range overlay {
			has = has || strings.HasSuffix(path, "testmain_test.go")
		}
		if has != testMain {
			t.Errorf("%s: adds a TestMain: %v", pkg, has)
		}
		if d, _ := probed(t, build(t, hard, pkg, Test), nil); d.Final != testMain {
			t.Errorf("%s: final write: %v", pkg, d.Final)
		}
	}
}

func TestInjectRefuses(t *testing.T) {
	if _, err := Into(list(t, hard, "./shadow"), Main, Dumps()); err == nil || !strings.Contains(err.Error(), `its own "string"`) {
		t.Errorf("a package with its own string: %v", err)
	}
	if _, err := Into(list(t, hard, "."), Main, Dumps()); err == nil || !strings.Contains(err.Error(), "no command") {
		t.Errorf("a library as a command: %v", err)
	}
}

// A second injection, as a heap floor will be, goes through the same door.
func TestInjectTwo(t *testing.T) {
	floor := Source{Name: "floor", Files: map[string]string{
		"init": "package p\n\nfunc init() { println(\"floor\") }\n",
	}}
	overlay, err := Into(list(t, hard, "./cmd"), Main, Dumps(), floor)
	if err != nil {
		t.Fatal(err)
	}
	store := t.TempDir()
	document, err := overlay.Write(store)
	if err != nil {
		t.Fatal(err)
	}
	again, err := overlay.Write(store)
	if err != nil || again != document {
		t.Errorf("written again to %s, was %s: %v", again, document, err)
	}
	binary := filepath.Join(t.TempDir(), "binary.exe")
	goCommand(t, hard, nil, "build", "-overlay", document, "-o", binary, "./cmd")
	if _, out := probed(t, binary, nil, "0"); out.LastOutput != "floor" {
		t.Errorf("%q", out.LastOutput)
	}

	other, err := Into(list(t, hard, "./cmd"), Main, Source{Name: "floor", Files: map[string]string{"init": "package p\n"}})
	if err != nil {
		t.Fatal(err)
	}
	before := len(overlay)
	if err := overlay.Merge(other); err == nil {
		t.Error("merged two contents for one file")
	}
	if diff := cmp.Diff(before, len(overlay)); diff != "" {
		t.Error(diff)
	}
}
