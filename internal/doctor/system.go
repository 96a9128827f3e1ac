package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
)

func toolchain(ctx context.Context, m *mode.Machine) Check {
	t, err := m.Toolchain(ctx, "")
	if err != nil {
		return Check{Status: Bad, Found: "no go command that works: " + err.Error(),
			Effect: "Nothing can be built; diagnose still reads profiles and live services.",
			Remedy: "Install Go from https://go.dev/dl and put it on PATH."}
	}
	return Check{Status: Good, Found: fmt.Sprintf("%s in %s", t.Version, t.GOROOT())}
}

func processors(context.Context, *mode.Machine) Check {
	n, use := runtime.NumCPU(), runtime.GOMAXPROCS(0)
	c := Check{Status: Good, Found: fmt.Sprintf("%d, of which Go uses %d", n, use)}
	load, known := loadAverage()
	if known {
		c.Found += ", load average " + format.Digits(load)
	}
	switch {
	case known && load > float64(n)/2:
		c.Status = Poor
		c.Effect = "Other programs take the processors: wall time and latency are too high, and blocks are repeated."
		c.Remedy = "Stop them, or measure when they are idle. CPU time suffers less than wall time."
	case use < 2:
		c.Status = Poor
		c.Effect = "The collector shares one processor with the program, and a server with its load generator: latency is too high."
		c.Remedy = "Use a machine with two processors or more; CPU time per operation stands."
	}
	return c
}

// loadAverage returns the one-minute load average (proc_loadavg(5)).
func loadAverage() (load float64, known bool) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err = strconv.ParseFloat(first, 64)
	return load, err == nil
}

func containerLimit(context.Context, *mode.Machine) Check {
	limit := cgroup.Limit()
	if limit == 0 {
		return Check{Status: Good, Found: "none for this process"}
	}
	c := Check{Status: Good, Found: format.Bytes(float64(limit)) + " for this process and those that it starts"}
	if limit < 2<<30 {
		c.Status = Poor
		c.Effect = "Builds need about 1 GiB, and modes with a larger heap may be killed."
		c.Remedy = "Allow this container 2 GiB or more."
	}
	return c
}

func cgroups(context.Context, *mode.Machine) Check {
	if err := cgroup.Available(); err != nil {
		return Check{Status: Poor, Found: err.Error(),
			Effect: "compare -memory does not work: no run can be limited as in a container.",
			Remedy: "Run as root on Linux with the memory controller; everything else works without."}
	}
	return Check{Status: Good, Found: "can be made, so compare -memory works"}
}

// observed is how long the stolen time is observed.
const observed = time.Second

func stolen(ctx context.Context, _ *mode.Machine) Check {
	before := machine.ReadTime()
	if before == (machine.Time{}) {
		return Check{Status: Poor, Found: "not reported by this system",
			Effect: "Blocks in which a hypervisor took the processors away cannot be recognised and repeated.",
			Remedy: "Measure on Linux."}
	}
	spinFor(ctx, observed)
	share := machine.ReadTime().StolenSince(before)
	c := Check{Status: Good, Found: fmt.Sprintf("the hypervisor stole %s of the CPU time in %v",
		format.Share(share), observed)}
	if share > 0.02 {
		c.Status = Poor
		c.Effect = "Wall time and latency include the time that other machines ran."
		c.Remedy = "Use a machine with dedicated processors, or allow a larger -budget: blocks with much stolen time are repeated."
	}
	return c
}

func processMetrics(context.Context, *mode.Machine) Check {
	switch runtime.GOOS {
	case "linux":
		return Check{Status: Good, Found: "CPU time and peak memory of every phase of a run"}
	case "windows":
		return Check{Status: Poor, Found: "CPU time, and peak memory of whole runs",
			Effect: "A server's phases have no peak memory of their own.", Remedy: "Measure servers on Linux."}
	}
	return Check{Status: Poor, Found: "CPU time and peak memory of programs that have ended",
		Effect: "A server under load has latencies, but no CPU time and no memory, and so no verdict.",
		Remedy: "Measure servers on Linux."}
}
