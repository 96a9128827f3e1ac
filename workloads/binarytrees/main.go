// Command binarytrees builds and drops binary trees and prints their check
// values: the program of the Computer Language Benchmarks Game, whose nodes
// hold two pointers and nothing else.
//
// It builds a stretch tree and drops it, builds a tree that lives to the end,
// and then builds many short-lived trees. There are fewer of them the deeper
// they are, so that each depth allocates the same number of nodes.
//
// Its memory behaviour is known. A node is 16 bytes, all of them pointers.
// The long-lived tree is all that survives a collection, and each collection
// follows every pointer of it; the short-lived trees are garbage as soon as
// they are counted. It is bound by malloc and GC mark, and has hardly any code
// of its own.
//
// Expected CPU relative to the plain heap (process CPU time of Tree/auto on
// go1.26.8, linux/amd64, two cores): GOGC=200 0.8 and GOGC=400 0.7, for more
// memory; sync.Pool 0.75, although it allocates next to nothing, because it
// pays for each node on its way in and out; Go's own arena
// (GOEXPERIMENT=arenas) 0.9, near the plain heap; this project's arena, reset
// and used again for each tree, 0.2 (docs/results/claims.md).
//
// Each variant of where the nodes live is one file of this package. The
// variant "auto" is the one that the build chose: this project's arena with the
// tag slabarena, Go's own with GOEXPERIMENT=arenas, the heap otherwise. So one
// name, Tree/auto, compares them across modes:
//
//	heapwright compare ./workloads/binarytrees -bench Tree/auto -modes default,arenas,tags=slabarena
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/heapwright/heapwright/workloads/program/command"
)

func main() {
	command.Exit("binarytrees", run(os.Args[1:], os.Stdout, os.Stderr))
}

// maxDepth keeps the deepest tree, of 2^(maxDepth+2) nodes, below 2 GiB.
const maxDepth = 25

// run is the command. It prints a line for each kind of tree.
func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("binarytrees", flag.ContinueOnError)
	depth := flags.Int("depth", 16, "depth of the long-lived tree")
	name := flags.String("variant", "auto", "where nodes live: "+strings.Join(variantNames(), ", "))
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	if *depth < minDepth || *depth > maxDepth {
		return command.Usagef("-depth %d: use %d to %d", *depth, minDepth, maxDepth)
	}
	newAllocator, err := constructor(*name)
	if err != nil {
		return command.Usagef("%w", err)
	}

	out := bufio.NewWriter(stdout)
	temporary, permanent := newAllocator(), newAllocator()
	stretch := temporary.grow(*depth + 1)
	fmt.Fprintf(out, "stretch tree of depth %d\t check: %d\n", *depth+1, stretch.count())
	temporary.release(stretch)
	longLived := permanent.grow(*depth)
	for _, b := range shortLived(temporary, *depth) {
		fmt.Fprintf(out, "%d\t trees of depth %d\t check: %d\n", b.trees, b.depth, b.nodes)
	}
	fmt.Fprintf(out, "long lived tree of depth %d\t check: %d\n", *depth, longLived.count())
	permanent.release(longLived)
	return out.Flush()
}
