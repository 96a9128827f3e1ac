package main

import (
	_ "embed"
	"slices"

	"github.com/heapwright/heapwright/bench/foreign/truth"
	"github.com/heapwright/heapwright/bench/internal/data"
)

// A module is one on which the checks run.
type module struct {
	name   string // PATH@VERSION; "std" is the standard library of the Go in use
	tested bool   // run its tests before and after the fixes
}

// modulesTSV has the modules besides the ones in bench/foreign, with their versions, and
// marks all whose tests take minutes at most and need neither a network nor a service.
//
//go:embed modules.tsv
var modulesTSV []byte

func modules() (all []module) {
	rows := data.Table(modulesTSV)
	for _, m := range truth.Modules {
		all = append(all, module{m.Path + "@" + m.Version, slices.ContainsFunc(rows, func(row []string) bool { return row[0] == m.Path })})
	}
	for _, row := range rows {
		if !slices.ContainsFunc(truth.Modules, func(m *truth.Module) bool { return m.Path == row[0] }) {
			all = append(all, module{row[0], row[1] == "tested"})
		}
	}
	return all
}
