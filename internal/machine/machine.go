package probe

import (
	"runtime"

	"github.com/heapwright/heapwright/internal/result"
)

// ThisMachine describes the machine that this process runs on. Cores are those
// that Go would use in a process started here; memory is the machine's or the limit of
// a control group, whichever is less. A figure that the system does not tell stays
// empty.
func ThisMachine() result.Machine {
	m := result.Machine{
		OS:    runtime.GOOS,
		Arch:  runtime.GOARCH,
		Cores: runtime.GOMAXPROCS(0),
	}
	m.Kernel, m.CPU, m.Memory = systemFacts()
	return m
}
