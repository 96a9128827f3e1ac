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

var update = flag.Bool("update", false, "write tuner.txtar")

// The gctune that programs get is the one that is tested.
func TestTunerFilesAreGctunes(t *testing.T) {
	gctune := filepath.Join("..", "..", "gctune")
	files, err := filepath.Glob(filepath.Join(gctune, "*.go"))
	if err != nil || len(files) == 0 {
		t.Skip("the module gctune is not beside this one")
	}
	auto, err := filepath.Glob(filepath.Join(gctune, "auto", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	now := txtar.Archive{Comment: []byte("gctune, written by go test ./internal/inject -run TunerFiles -update\n")}
	for _, file := range append(files, auto...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		name, err := filepath.Rel(gctune, file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		now.Files = append(now.Files, txtar.File{Name: filepath.ToSlash(name), Data: text})
	}
	if *update {
		if err := os.WriteFile("tuner.txtar", txtar.Format(&now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(txtar.Format(&now), tunerFiles) {
		t.Error("tuner.txtar is not gctune as it is now: run go test ./internal/inject -run TunerFiles -update")
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
