package profiled

import (
	heapwrightTraceOS "os"
	heapwrightTrace "runtime/trace"
	heapwrightTraceTime "time"
)

// init begins an execution trace. Go has no hook at exit, so that only a program
// whose duration is known is traced to an end. Otherwise the runtime writes the
// trace out every second, and the last part is lost.
func init() {
	name := heapwrightTraceOS.Getenv("HEAPWRIGHT_EXECTRACE")
	if name == "" {
		return
	}
	file, err := heapwrightTraceOS.Create(name)
	if err == nil {
		err = heapwrightTrace.Start(file)
	}
	if err != nil {
		return // the target traces itself, or the folder is gone
	}
	if d, err := heapwrightTraceTime.ParseDuration(heapwrightTraceOS.Getenv("HEAPWRIGHT_EXECTRACE_FOR")); err == nil {
		heapwrightTraceTime.AfterFunc(d, func() {
			heapwrightTrace.Stop()
			_ = file.Close()
		})
	}
}
