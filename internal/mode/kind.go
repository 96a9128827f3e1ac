package mode

import (
	"context"
	"slices"
)

// Kind is one way in which modes can differ. A file of this package that
// registers one adds it to the syntax, to the proofs and to "heapwright
// modes" at once.
type Kind struct {
	Order  int      // place in lists; also who is asked first what a text means
	Name   string   // "Go version"
	Keys   []string // what its settings begin with, for hints on mistyped ones: "GOGC=", "pgo"
	Syntax string   // an example: "GOGC=400"
	Doc    string   // one line on what it does

	// Parse returns the setting that the token stands for, nil if it is of
	// another kind, an error if it is of this kind but wrong.
	Parse func(token) (Setting, error)

	// ProveBuild and ProveRun hold what a cell's binary and a run of it say
	// against its configuration, also for modes without a setting of this
	// kind: those must not show one. The doubt says what could not be proven,
	// and why. ProveRun is called with reports of a run only.
	ProveBuild, ProveRun func(Config, Identity) (doubt string, err error)

	// List returns what this machine has of the kind with the toolchain. A
	// nil List stands for one line made of Syntax and Doc, which is available
	// unless Lacks says what is missing for it.
	List  func(context.Context, *Machine, *Toolchain) []Available
	Lacks func(context.Context, *Machine, *Toolchain) string
}

var kinds []Kind

// register adds a kind at its place. It is called from init functions only.
func register(k Kind) {
	at, _ := slices.BinarySearchFunc(kinds, k, func(a, b Kind) int { return a.Order - b.Order })
	kinds = slices.Insert(kinds, at, k)
}
