package main

import (
	"fmt"
	"strings"
)

// An allocator holds one tree at a time. It is not safe for concurrent use.
type allocator interface {
	// grow returns a full tree of the given depth; a tree of depth 0 is one
	// node. The previous tree must have been released.
	grow(depth int) *Node
	// release ends the life of the tree that grow returned. Whoever uses a tree
	// must release it afterwards, because that keeps the allocator reachable: an
	// arena that nobody can reach is freed, even if its tree is in use.
	release(root *Node)
}

// A variant is one way to allocate trees.
type variant struct {
	name         string
	newAllocator func() allocator
}

// variants are the variants in this build. Those in tagged need a build tag.
var variants = append(tagged,
	variant{"heap", func() allocator { return heap{} }},
	variant{"pool", func() allocator { return pool{} }},
	variant{"slab", func() allocator { return newSlab() }},
)

// constructor returns the function that makes allocators of the named variant;
// "auto" is the one that the build chose.
func constructor(name string) (func() allocator, error) {
	if name == "auto" {
		name = auto
	}
	for _, v := range variants {
		if v.name == name {
			return v.newAllocator, nil
		}
	}
	return nil, fmt.Errorf("-variant %q: this build has %s", name, strings.Join(variantNames(), ", "))
}

// variantNames returns the names that constructor accepts.
func variantNames() []string {
	names := []string{"auto"}
	for _, v := range variants {
		names = append(names, v.name)
	}
	return names
}
