//go:build go1.23

package profiled

import (
	heapwrightExitOS "os"
	_ "unsafe" // go:linkname needs it
)

// heapwrightExitHook is exithook.Hook (internal/runtime/exithook), the hook at exit
// that Go has for itself.
type heapwrightExitHook struct {
	F            func()
	RunOnFailure bool
}

//go:linkname heapwrightExitHooks internal/runtime/exithook.hooks
var heapwrightExitHooks []heapwrightExitHook

// init has the profile under way written when the target returns from main or exits.
func init() {
	if heapwrightExitOS.Getenv("HEAPWRIGHT_CPUPROFILE") != "" {
		heapwrightExitHooks = append(heapwrightExitHooks, heapwrightExitHook{func() { heapwrightAtExit() }, true})
	}
}
