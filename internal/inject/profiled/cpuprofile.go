// Package profiled is the source of inject.Profiles, added to a command by go
// build -overlay under the name of its own package. Nothing imports it; it is
// a package so that the usual tools check it.
//
// A CPU profile is written when it is stopped, and not every Go has a hook at exit.
// So the profile is taken in slices, each a file of its own. Without a hook the last
// slice is lost, and a run that is shorter than a slice leaves none; several of them
// with shorter slices, numbered on, do.
package profiled

import (
	heapwrightFmt "fmt"
	heapwrightOS "os"
	heapwrightPprof "runtime/pprof"
	heapwrightStrconv "strconv"
	heapwrightSync "sync"
	heapwrightTime "time"
)

// heapwrightSlice, unless the environment says otherwise, is long beside the 0.1–0.2 s that stopping a profile takes.
const heapwrightSlice = heapwrightTime.Second

// init begins the profile before the target's main, which must not be changed.
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
	slice, err := heapwrightTime.ParseDuration(heapwrightOS.Getenv("HEAPWRIGHT_SLICE"))
	if err != nil {
		slice = heapwrightSlice
	}
	first, _ := heapwrightStrconv.Atoi(heapwrightOS.Getenv("HEAPWRIGHT_FIRSTSLICE")) // 0 where it is not set
	i, file := first, next(first)
	var under heapwrightSync.Mutex // the slice, which is i
	stop := func() {
		heapwrightPprof.StopCPUProfile()
		_ = file.Close()
		heapwrightHeap(i)
		i++
	}
	go func() {
		for file != nil {
			heapwrightTime.Sleep(slice)
			under.Lock()
			stop()
			file = next(i)
			under.Unlock()
		}
	}()
	heapwrightAtExit = func() {
		under.Lock() // never unlocked
		if file != nil {
			stop()
			// The last file of all may be incomplete: this one is.
			_, _ = heapwrightOS.Create(heapwrightFmt.Sprintf("%s.%d", name, i))
		}
	}
}

// heapwrightAtExit writes the slice under way, where there is a hook to call it.
var heapwrightAtExit = func() {}

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
