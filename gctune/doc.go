// Package gctune gives a process a heap floor and a memory limit at run time:
// what a memory ballast is for, without the ballast, and what GOMEMLIMIT is
// for, without its death spiral.
//
// The stance: the runtime's pacer is good and is left in charge. gctune only
// moves the two settings that the runtime offers, GOGC and the soft memory
// limit, once after each collection, from figures that the process can read
// about itself; it says what it does and why; and it puts back what was.
// It never promises what nobody can keep: a live heap over the limit.
//
//	if err := gctune.Start(gctune.Options{MinHeap: 256 << 20}); err != nil {
//		log.Print(err)
//	}
//	defer gctune.Stop()
//
// GOGC and the memory limit belong to the process, so there is one tuner per
// process. docs/gctune.md derives every formula from the runtime's source.
package gctune
