// Package profiled is the source of probe.Profiles, added to a command by go
// build -overlay under the name of its own package. Nothing imports it; it is
// a package so that the usual tools check it.
//
// Go has no hook at exit and a CPU profile is written when it is stopped, so
// the profile is taken in slices, each a file of its own: what is lost is the
// last slice.
package profiled

import (
	heapwrightFmt "fmt"
	heapwrightOS "os"
	heapwrightPprof "runtime/pprof"
	heapwrightTime "time"
)

// heapwrightSlice is long beside the 0.1–0.2 s that stopping a profile takes.
const heapwrightSlice = heapwrightTime.Second

func init() {
	name := heapwrightOS.Getenv("HEAPWRIGHT_CPUPROFILE")
	if name == "" {
		return
	}
	next := func(i int) *heapwrightOS.File {
		file, err := heapwrightOS.Create(heapwrightFmt.Sprintf("%s.%d", name, i))
		if err == nil {
			err = heapwrightPprof.StartCPUProfile(file)
		}
		if err != nil {
			return nil // the target profiles itself, or the folder is gone
		}
		return file
	}
	file := next(0)
	go func() {
		for i := 1; file != nil; i++ {
			heapwrightTime.Sleep(heapwrightSlice)
			heapwrightPprof.StopCPUProfile()
			_ = file.Close()
			heapwrightHeap(i - 1)
			file = next(i)
		}
	}()
}

// heapwrightHeap writes a heap profile between two slices, where asked to.
func heapwrightHeap(i int) {
	name := heapwrightOS.Getenv("HEAPWRIGHT_HEAPPROFILE")
	if name == "" {
		return
	}
	file, err := heapwrightOS.Create(heapwrightFmt.Sprintf("%s.%d", name, i))
	if err != nil {
		return // the folder is gone
	}
	_ = heapwrightPprof.WriteHeapProfile(file)
	_ = file.Close()
}
