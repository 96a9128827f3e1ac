package inject

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
)

// injected builds a package with the probe and more, and returns the binary.
func injected(t *testing.T, pkg string, kind Kind, more ...Source) string {
	t.Helper()
	return buildWith(t, hard, pkg, kind, append([]Source{Dumps()}, more...))
}

var update = flag.Bool("update", false, "write tuner.txtar and arena.txtar")

// The gctune and the arena that programs get are those that are tested.
func TestTunerFilesAreGctunes(t *testing.T) {
	archive(t, "gctune", "TunerFiles", "tuner.txtar", tunerFiles, ".", "auto")
}

func TestArenaFilesAreArenas(t *testing.T) {
	archive(t, "arena", "ArenaFiles", "arena.txtar", arenaFiles, ".", "internal/gc", "internal/memory")
}

// archive compares an archive with the packages of a module beside this one.
func archive(t *testing.T, module, test, name string, embedded []byte, packages ...string) {
	t.Helper()
	dir := filepath.Join("..", "..", module)
	now := txtar.Archive{Comment: []byte(module + ", written by go test ./internal/inject -run " + test + " -update\n")}
	for _, pkg := range packages {
		files, err := filepath.Glob(filepath.Join(dir, pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Skipf("the module %s is not beside this one", module)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			of, err := filepath.Rel(dir, file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			now.Files = append(now.Files, txtar.File{Name: filepath.ToSlash(of), Data: text})
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(&now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(txtar.Format(&now), embedded) {
		t.Errorf("%s is not %s as it is now: run go test ./internal/inject -run %s -update", name, module, test)
	}
}

// The module is of Go 1.13 and knows nothing of gctune.
func TestTuner(t *testing.T) {
	for pkg, kind := range map[string]Kind{"./cmd": Main, ".": Test} {
		args := []string{"0"}
		if kind == Test {
			args = []string{"-test.bench=.", "-test.benchtime=200000x"} // 200 MB of garbage
		}
		binary := injected(t, pkg, kind, Tuner())
		cycles := func(env ...string) int {
			d, _ := probed(t, binary, env, args...)
			id := d.Identify(mode.Identity{})
			if id.Tuner != "calm" || id.HeapFloor != 256<<20 && len(env) > 0 || id.MemoryLimit <= 0 {
				t.Errorf("%s %q: %+v", pkg, env, id)
			}
			return d.Cycles(false)
		}
		none, floor := cycles(), cycles("HEAPWRIGHT_GCTUNE_MIN_HEAP=256MiB")
		if none == 0 || floor > 1 { // one may begin before gctune does
			t.Errorf("%s: %d cycles, %d with a floor", pkg, none, floor)
		}
	}
}

func TestTunerRefusesFilesWithoutAPackage(t *testing.T) {
	target := list(t, hard, "./cmd")
	target.ImportPath = "command-line-arguments"
	if _, err := Into(target, Main, Tuner()); err == nil || !strings.Contains(err.Error(), "name it as a package") {
		t.Errorf("%v", err)
	}
}

func TestBallast(t *testing.T) {
	binary := injected(t, "./cmd", Main, Ballast())
	d, out := probed(t, binary, []string{"HEAPWRIGHT_BALLAST=1073741824"}, "1")
	if id := d.Identify(mode.Identity{}); id.Ballast != 1<<30 || id.Tuner != "" {
		t.Errorf("%+v", id)
	}
	values, _ := probe.GC(true, 1, &d, nil)
	if live := values["live-heap-bytes"]; live < 1<<30 {
		t.Errorf("the collector found %.0f bytes live", live)
	}
	if out.Usage.PeakRSS > 256<<20 {
		t.Errorf("peak RSS %d: the ballast was touched", out.Usage.PeakRSS)
	}
	d, out = probed(t, binary, []string{"HEAPWRIGHT_BALLAST=much"}, "1")
	if d.BallastSize != 0 || !strings.Contains(out.LastOutput, "no number of bytes") {
		t.Errorf("%d, %s", d.BallastSize, out.LastOutput)
	}
}
