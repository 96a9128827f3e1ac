package main

import (
	"fmt"
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

// A variant is one way to allocate trees.
type variant struct {
	name    string
	newPlot func() plot
}

// variants are the variants in this build; tagged are the ones that need a build tag.
var variants = append(tagged,
	variant{"heap", func() plot { return heap{} }},
	variant{"pool", func() plot { return pool{} }},
	variant{"slab", func() plot { return newSlab() }},
)

// newPlot returns how to make plots of the named variant; "auto" is the one
// that the build chose.
func newPlot(name string) (func() plot, error) {
	if name == "auto" {
		name = auto
	}
	for _, v := range variants {
		if v.name == name {
			return v.newPlot, nil
		}
	}
	return nil, fmt.Errorf("-variant %q: this build has %s", name, strings.Join(variantNames(), ", "))
}

// variantNames returns the names that newPlot knows.
func variantNames() []string {
	names := []string{"auto"}
	for _, v := range variants {
		names = append(names, v.name)
	}
	return names
}
