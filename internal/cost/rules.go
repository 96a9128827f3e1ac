package cost

import (
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
)

// A rule gives the cost class of a runtime function.
type rule uint8

const (
	silent     rule = iota // the caller decides
	foreign                // the program's own code
	clears                 // zeroing, if below an allocation
	isClass                // isClass+c: is about class c
	ruleMalloc = isClass + rule(MallocSmall)
)

// rules are by function name without "runtime.". Only functions that begin a phase are named,
// not their callees: those change with each Go, these hardly do. The comments give the file
// in GOROOT/src/runtime.
var rules = map[Class][]string{
	// malloc.go. Go 1.24 split mallocgc by size, 1.26 generates one function per
	// size class: see prefixes.
	MallocSmall: {"newobject", "makeslice", "makeslice64", "makeslicecopy", "nextFreeFast", "persistentalloc"},
	// malloc.go, mcache.go. Up to Go 1.23 mallocgc calls allocLarge itself.
	MallocLarge: {"mallocgcLarge", "largeAlloc", "(*mcache).allocLarge"},
	// mgc.go, mgcmark.go. An assist begins with gcAssistAlloc and is recognized
	// before all others.
	Mark: {"gcBgMarkWorker", "gcBgMarkStartWorkers", "gcDrain", "gcMarkDone", "gcMarkTermination", "gcStart",
		"gcMark", "gcResetMarkState", "gcmarknewobject", "gcMarkTinyAllocs", "markroot", "gcMarkRootPrepare",
		"gcController.startCycle", "GC", "forcegchelper", "gcFlushBgCredit"},
	// mgcsweep.go
	Sweep: {"bgsweep", "sweepone", "(*sweepLocked).sweep", "deductSweepCredit", "finishsweep_m", "gcSweep",
		"(*mcache).prepareForSweep", "(*mspan).ensureSwept", "(*mheap).reclaim", "nextMarkBitArenaEpoch",
		"freeSomeWbufs"},
	// mgcscavenge.go, mem.go
	Scavenge: {"bgscavenge", "(*pageAlloc).scavenge", "(*pageAlloc).scavengeOne", "(*mheap).scavengeAll",
		"(*scavengerState).run", "sysUnused", "sysNoHugePage", "sysHugePageCollapse"},
	// mwbbuf.go, mbarrier.go
	WriteBarrier: {"wbBufFlush", "wbBufFlush1", "bulkBarrierPreWrite", "bulkBarrierPreWriteSrcOnly",
		"bulkBarrierBitmap", "typeBitsBulkBarrier", "wbZero", "wbMove"},
	// mem.go, mheap.go
	PageFaults: {"sysMap", "sysUsed", "sysAlloc", "sysReserve", "sysHugePage", "(*mheap).sysAlloc", "(*mheap).grow"},
	// proc.go, stack.go, signal_unix.go, time.go
	OtherRuntime: {"schedule", "findRunnable", "findrunnable", "mcall", "park_m", "goexit0", "gosched_m",
		"gopreempt_m", "sysmon", "newstack", "copystack", "morestack", "shrinkstack", "sighandler", "sigtramp",
		"asyncPreempt2", "newproc", "runtimer", "(*timers).run"},
}

// prefixes are rules for families of names.
var prefixes = []struct {
	prefix string
	rule   rule
}{
	{"mallocgc", ruleMalloc}, // mallocgcTiny, mallocgcSmallScanNoHeaderSC5 …
	{"gcWriteBarrier", isClass + rule(WriteBarrier)},
	{"memclr", clears},
}

var byName = func() map[string]rule {
	all := map[string]rule{}
	for class, functions := range rules {
		for _, f := range functions {
			all[f] = isClass + rule(class)
		}
	}
	return all
}()

// assists are the functions below which all work is assist work.
var assists = map[string]bool{"gcAssistAlloc": true, "gcAssistAlloc1": true, "gcParkAssist": true}

// ruleOf returns the rule of a function and whether it begins an assist.
func ruleOf(function string) (r rule, assist bool) {
	name, ok := strings.CutPrefix(function, "runtime.")
	if !ok {
		if strings.HasPrefix(function, "gcWriteBarrier") { // assembly without a package since Go 1.21
			return isClass + rule(WriteBarrier), false
		}
		// The vDSO reads clocks for the runtime. Other binaries are the program's work.
		// The runtime calls package time when a timer fires; the callers of its other
		// functions decide.
		if function == "[vdso]" || strings.HasPrefix(function, "time.") ||
			owner.OfRuntime(function) && !strings.HasPrefix(function, "[") {
			return silent, false
		}
		return foreign, false
	}
	// A closure belongs to its function: gcAssistAlloc.func1 runs on the system
	// stack for it. The receiver of a method has a dot too, before its ")".
	if dot := strings.IndexByte(name[strings.IndexByte(name, ')')+1:], '.'); dot > 0 && !strings.HasPrefix(name, "(") {
		name = name[:dot]
	}
	if assists[name] {
		return silent, true
	}
	if r, ok := byName[name]; ok {
		return r, false
	}
	for _, p := range prefixes {
		if strings.HasPrefix(name, p.prefix) {
			return p.rule, false
		}
	}
	return silent, false
}
