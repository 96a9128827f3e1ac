package probe

import (
	"runtime"

	"github.com/heapwright/heapwright/internal/result"
)

func Missing() map[string]string { return nil }
func ThisMachine() result.Machine {
	return result.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: 2}
}
