// Command stackstore is the heart of a continuous profiler: it takes in pprof
// profiles of several services and keeps, for each service, all stacks that
// were ever seen as one prefix tree.
//
// It generates profiles at start, always the same ones, and ingests them in
// turn. A profile is decoded as a stream. Its stacks are inserted into a tree
// of their own, which is then merged into the service's tree.
//
// Its memory behaviour is known. The trees of the services live as long as the
// process: about 20 MiB of small objects with two pointers each, which every
// collection follows. The tree of a profile dies when its profile is in: about
// 700 KB in objects of 32 bytes, all of them made on one line, which is where
// nearly all objects of the process come from. So malloc and the marking
// of a heap that hardly changes share the CPU with the store's own work.
//
// Expected CPU relative to the plain heap (process CPU time of Ingest on
// go1.26.8, linux/amd64, two cores): this project's arena for the tree of one
// profile about 0.7, with less memory; GOGC=400 about 0.8 without a change of
// code, with twice the peak memory; Go's own arena about 0.9.
//
// Where the tree of a profile lives is chosen by the build, so that one
// benchmark name compares them across modes: in an arena of this project with
// the tag slabarena, in Go's own with GOEXPERIMENT=arenas, otherwise on the heap.
//
//	heapwright compare ./workloads/stackstore -modes default,GOGC=400,arenas,tags=slabarena
package main

import (
	"flag"
	"io"
	"os"

	"github.com/heapwright/heapwright/workloads/program/command"
)

func main() {
	command.Exit("stackstore", run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command: it prints the store's contents in the end.
func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("stackstore", flag.ContinueOnError)
	profiles := flags.Int("profiles", 1000, "profiles to ingest")
	services := flags.Int("services", 16, "services that they come from, at most 1000")
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	if *profiles < 1 || *services < 1 || *services > 1000 {
		return command.Usagef("-profiles: use 1 or more; -services: use 1 to 1000")
	}

	sent := generate(*services)
	store := newStore()
	for i := range *profiles {
		p := sent[i%len(sent)]
		if err := store.Ingest(p.service, p.data); err != nil {
			return err
		}
	}
	return store.print(stdout)
}
