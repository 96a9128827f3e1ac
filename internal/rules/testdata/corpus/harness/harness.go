// Package harness runs the corpus's programs and writes their profiles: one
// second of CPU time, with four heap and goroutine profiles on the way.
package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"
)

const (
	snapshots = 4
	between   = 250 * time.Millisecond // of CPU time: on a busy machine a second of the clock is few samples
	apart     = 360 * time.Millisecond // of the clock: growth needs a second, and a fast machine has it sooner
	step      = 5 * time.Millisecond
)

// Run calls work over and over while it profiles the process into the folder
// that the first argument names.
func Run(work func()) {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: %s FOLDER", os.Args[0]))
	}
	cpu, err := os.Create(filepath.Join(os.Args[1], "cpu.pprof"))
	fail(err)
	fail(pprof.StartCPUProfile(cpu))
	for i := range snapshots {
		for end, start := used()+between, time.Now(); used() < end || time.Since(start) < apart; {
			for began := time.Now(); time.Since(began) < step; {
				work()
			}
		}
		runtime.GC() // a heap profile is as old as the last collection
		write("heap", i)
		write("goroutine", i)
	}
	pprof.StopCPUProfile()
	fail(cpu.Close())
}

func write(kind string, i int) {
	f, err := os.Create(filepath.Join(os.Args[1], fmt.Sprintf("%s-%d.pprof", kind, i)))
	fail(err)
	fail(pprof.Lookup(kind).WriteTo(f, 0))
	fail(f.Close())
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
