//go:build !go1.21

package injected

import (
	heapwrightDebug "runtime/debug"
	heapwrightStrconv "strconv"
)

// heapwrightProbeSettings adds the settings that runtime/metrics has only from Go 1.21
// on, as they are at the start.
func heapwrightProbeSettings(b []byte) []byte {
	percent := heapwrightDebug.SetGCPercent(100) // the only way to read it
	heapwrightDebug.SetGCPercent(percent)
	b = heapwrightStrconv.AppendUint(append(b, "uint /gc/gogc:percent "...), uint64(percent), 10)
	limit := heapwrightDebug.SetMemoryLimit(-1) // reads without setting
	b = heapwrightStrconv.AppendUint(append(b, "\nuint /gc/gomemlimit:bytes "...), uint64(limit), 10)
	return append(b, '\n')
}
