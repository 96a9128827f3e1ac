package main

import (
	"embed"

	"github.com/heapwright/heapwright/bench/foreign/truth"
)

// A Port is a public module, and the changes that move its short-lived values into
// arenas: all of them lines of our own.
type Port struct {
	Name, Path, Version string
	Lifetimes           string // how its arenas begin, travel and end, for people

	Moves []Move
	Swaps []Swap
	// Edits of a file go from its end to its beginning. Their lines are those of the
	// module as published.
	Edits []truth.Edit
	// The files below testdata/NAME are copied into the module last.

	Packages []string // those that are tested and checked
	Race     bool     // their tests also pass with the race detector, in minutes
	Leaves   string   // why the tests themselves leave arenas that are not freed

	Plants []Plant
}

// A Move makes every literal &T{…} of the types a call: Call, T{…} and ).
type Move struct {
	File, Call string
	Types      []string
}

// A Swap replaces a word everywhere in a file.
type Swap struct{ File, Old, New string }

// A Plant is a fault in our own lines.
type Plant struct {
	Fault    string // for people
	Check    string
	File     string
	Old, New string // text of the ported file, which it holds once, and the text instead
	At       string // text at the line to report, also one of our own
	Declares string // a variable that New needs
	Unseen   bool   // no check was extended for it
	Missed   string // the reason why no check reports it
}

// Ports are the programs ported for this page.
var Ports = []*Port{gomarkdown, gopherLua, dns, goToml, expr}

//go:embed testdata
var files embed.FS
