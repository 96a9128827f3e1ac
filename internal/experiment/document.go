package experiment

import (
	"time"

	"github.com/heapwright/heapwright/internal/machine"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// NewDocument begins the document of an experiment that is run now, on this
// machine. Who asked for it, and how, is for the caller to fill in.
func NewDocument() *result.Document {
	return &result.Document{Schema: result.Schema, Started: time.Now().UTC(), Machine: machine.This()}
}

// describe copies the facts about the cells into the document.
func (e *experiment) describe() {
	e.doc.Modes = nil
	for _, c := range e.cells {
		m := result.Mode{Name: c.Mode.Name, Build: c.Commands, Identity: c.Identity, Binaries: c.Hashes}
		if c.Err != nil {
			m.Failed = c.Err.Error()
		}
		for _, b := range e.benches {
			if c.Has(b.Package) {
				m.Run = append(m.Run, e.commandLine(c, b))
			}
		}
		e.doc.Modes = append(e.doc.Modes, m)
	}
	e.doc.Benchmarks = nil
	for _, b := range e.benches {
		for _, k := range b.keys() {
			e.doc.Benchmarks = append(e.doc.Benchmarks, result.Benchmark{Key: k, Iterations: b.iterations})
		}
	}
}

// commandLine is one timed run as a user would repeat it in a shell.
func (e *experiment) commandLine(c *target.Cell, b bench) string {
	cmd := e.plan.Target.Invocation(c, b.Key, c.Binary(b.Package, 0), b.iterations)
	line := mode.CommandLine(mode.RunSettings(c.Config), cmd.Path, cmd.Args...)
	if conditions := cmd.Conditions(); conditions != "" {
		line += " # " + conditions
	}
	return line
}
