package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A plot is a place where one tree stands at a time. It is not safe for
// concurrent use.
type plot interface {
	// grow returns a full tree of the given depth; a tree of depth 0 is one
	// node. The tree before it must have been felled.
	grow(depth int) *Node
	// fell ends the tree that grow returned: it must not be used any more. A
	// tree that is in use must be felled in the end, which also keeps its plot
	// alive: an arena that nobody can reach is freed under its tree.
	fell(root *Node)
}

// variants holds, by name, how to make a plot of each variant in this build.
var variants = map[string]func() plot{}

// register adds a variant. Each variant's file calls it from init.
func register(name string, newPlot func() plot) { variants[name] = newPlot }

// newPlot returns how to make plots of the named variant; "auto" is the one
// that the build chose.
func newPlot(name string) (func() plot, error) {
	if name == "auto" {
		name = auto
	}
	if p, ok := variants[name]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("-variant %q: this build has %s", name, strings.Join(variantNames(), ", "))
}

// variantNames returns the names that newPlot knows, sorted.
func variantNames() []string {
	return append([]string{"auto"}, slices.Sorted(maps.Keys(variants))...)
}
