package main

import (
	"embed"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/data"
)

// A Port is a public module with the changes that put its short-lived values into arenas. All
// changed lines are our own.
type Port struct {
	Name, Path, Version string
	Lifetimes           string // how its arenas begin, travel and end, for people

	Moves []Move
	Swaps []Swap
	// Edits of a file go from its end to its beginning. Their lines are numbered as in
	// the published module.
	Edits []truth.Edit
	Files []txtar.File // our own files, copied into the module at the end

	Packages []string // the packages to test and check
	Race     bool     // their tests also pass with the race detector, in minutes
	Leaves   string   // why the tests themselves do not free arenas

	Plants []*Plant
}

// A Move makes every literal &T{…} of the types a call: Call, T{…} and ).
type Move struct {
	File, Call string
	Types      []string
}

// A Swap replaces a word everywhere in a file.
type Swap struct{ File, Old, New string }

// A Plant is a fault in the lines of a port.
type Plant struct {
	Fault    string // a description for people
	Check    string
	File     string
	Old, New string // text that the ported file has once, and its replacement
	At       string // text at the line to report, also one of our own
	Declares string // a variable that New needs
	Unseen   bool   // no check was developed with it
	Missed   string // the reason why no check reports it
}

//go:embed testdata
var files embed.FS

// Ports are the programs ported for this page.
func Ports() (all []*Port) {
	entries, err := files.ReadDir("testdata")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		all = append(all, readPort(data.Archive(files, "testdata/"+e.Name())))
	}
	return all
}

func readPort(a *txtar.Archive) *Port {
	h := data.Header(a.Comment)
	p := &Port{Name: h["name"], Path: h["path"], Version: h["version"], Lifetimes: h["lifetimes"],
		Packages: strings.Fields(h["packages"]), Race: h["race"] == "yes", Leaves: h["leaves"], Edits: truth.ReadEdits(a.Files)}
	var last *Plant // the plant to which the next texts belong
	for _, f := range a.Files {
		kind, name, _ := strings.Cut(f.Name, " ")
		switch kind {
		case "moves.tsv":
			for _, row := range data.Table(f.Data) {
				p.Moves = append(p.Moves, Move{row[0], row[1], strings.Fields(row[2])})
			}
		case "swaps.tsv":
			for _, row := range data.Table(f.Data) {
				p.Swaps = append(p.Swaps, Swap{row[0], row[1], row[2]})
			}
		case "file":
			p.Files = append(p.Files, txtar.File{Name: name, Data: f.Data})
		case "plant":
			h := data.Header(f.Data)
			last = &Plant{Check: name, Fault: h["fault"], File: h["file"], Missed: h["missed"], Unseen: h["unseen"] == "yes", At: h["at"]}
			p.Plants = append(p.Plants, last)
		case "old":
			last.Old = data.Text(f)
		case "new":
			last.New = data.Text(f)
		case "declares":
			last.Declares = data.Text(f)
		case "at":
			last.At = data.Text(f)
		}
	}
	return p
}
