package inject

import (
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/probe"
)

// TestToolchains builds and runs the probe with the Go versions that
// HEAPWRIGHT_TOOLCHAINS lists, "local,go1.20,go1.25.0", and cross-compiles it.
// The go command downloads missing ones, and it all takes minutes.
func TestToolchains(t *testing.T) {
	toolchains := os.Getenv("HEAPWRIGHT_TOOLCHAINS")
	if toolchains == "" {
		t.Skip("HEAPWRIGHT_TOOLCHAINS names no toolchain")
	}
	for toolchain := range strings.SplitSeq(toolchains, ",") {
		t.Run(toolchain, func(t *testing.T) {
			env := []string{"GOTOOLCHAIN=" + toolchain, "GO111MODULE=on"}
			version := strings.Fields(goCommand(t, hard, env, "version"))[2]

			gogc := []string{"GOGC=123", "GOMEMLIMIT=777MiB", "GODEBUG=gctrace=1"}
			d, out := probed(t, build(t, hard, "./cmd", Main, env...), gogc, "5")
			checkDump(t, d, version)
			if d.Cycles(true) == 0 || !strings.Contains(out.LastOutput, " ms clock, ") {
				t.Errorf("%d cycles; trace:\n%s", d.Cycles(true), out.LastOutput)
			}
			d, _ = probed(t, build(t, hard, ".", Test, env...), gogc, "-test.bench=.", "-test.benchtime=50000x")
			checkDump(t, d, version)
			if gc, _ := d.CPUShares(); !d.Final || d.Cycles(false) == 0 || gc <= 0 {
				t.Errorf("%+v", d)
			}
			for _, system := range []string{"windows", "darwin"} {
				build(t, hard, ".", Test, append(env, "GOOS="+system, "GOARCH=arm64")...)
				build(t, hard, "./cmd", Main, append(env, "GOOS="+system, "GOARCH=amd64")...)
			}
			// The standard library's own tests are targets too; these are below the
			// probe's imports.
			if version == "go1.20" { // whose index of GOROOT does not see overlays
				env = append(env, "GODEBUG=goindex=0")
			}
			roots := strings.Fields(goCommand(t, hard, env, "env", "GOROOT", "GOMODCACHE"))
			if strings.HasPrefix(roots[0], roots[1]) && version >= "go1.25" {
				t.Log("the go command refuses overlays in its module cache, where this GOROOT is")
				return
			}
			for _, std := range []string{"strconv", "runtime/metrics"} {
				d, _ := probed(t, build(t, hard, std, Test, env...), gogc, "-test.run=^$")
				checkDump(t, d, version)
			}
		})
	}
}

func checkDump(t *testing.T, d probe.Dump, version string) {
	t.Helper()
	id := d.Identify(mode.Identity{})
	if id.GoVersion != version || id.GOGC != 123 || id.MemoryLimit != 777<<20 {
		t.Errorf("identity %+v of %s", id, version)
	}
	if goal := d.Uints["/gc/heap/goal:bytes"]; goal < 4<<20 || goal > 1<<40 {
		t.Errorf("heap goal %d", goal)
	}
	if d.CPU <= 0 && runtime.GOOS != "windows" || math.IsNaN(d.CPU) {
		t.Errorf("CPU %v", d.CPU)
	}
	if runtime.GOOS == "linux" && d.PeakRSS < 1<<20 {
		t.Errorf("peak RSS %d", d.PeakRSS)
	}
	if d.Uints["/sched/gomaxprocs:threads"] == 0 || d.Env["GOGC"] != "123" || d.Pauses == nil {
		t.Errorf("%+v", d)
	}
}
