// Package machine has the facts of the machine that this process runs on, and the CPU
// time that its hypervisor takes away.
package machine

import (
	"runtime"

	"github.com/heapwright/heapwright/internal/cgroup"
	"github.com/heapwright/heapwright/internal/result"
)

// This describes the machine that this process runs on. Cores are those
// that Go would use in a process started here; memory is the machine's or the limit of
// a control group, whichever is less. A figure that the system does not report stays
// empty.
func This() result.Machine {
	m := result.Machine{
		OS:    runtime.GOOS,
		Arch:  runtime.GOARCH,
		Cores: runtime.GOMAXPROCS(0),
	}
	m.Kernel, m.CPU, m.Memory = systemFacts()
	if limit, ok := ContainerLimit(); ok {
		m.Memory = limit
	}
	return m
}

// ContainerLimit returns the memory limit in bytes of the container that this
// process is in; false where there is none below the machine's own memory.
func ContainerLimit() (int64, bool) {
	_, _, memory := systemFacts()
	limit := cgroup.Limit()
	return limit, limit > 0 && (memory == 0 || limit < memory)
}
