// Package gctune gives a process a heap floor and a memory limit at run time: the
// effect of a memory ballast without the ballast, and of GOMEMLIMIT without its
// death spiral.
//
// The runtime's pacer stays in charge. After each collection gctune moves the two
// settings that the runtime offers, GOGC and the soft memory limit, by figures
// that the process can read about itself. It logs its decisions with their
// reasons, and Tuner.Stop restores the settings. It cannot save a live heap that is
// over the limit.
//
//	tuner, err := gctune.Start(gctune.Options{MinHeap: 256 << 20})
//	if err != nil {
//		log.Print(err) // the program works without it
//	}
//	defer tuner.Stop()
//
// GOGC and the memory limit belong to the process, so there is one tuner per
// process. docs/internals/gctune.md derives every formula from the source of the
// runtime.
package gctune
