// Package result is the contract between those who measure and those who show.
//
// An experiment tells what happens as a stream of events and leaves one
// versioned Document. The terminal is a sink of the events; the table, HTML,
// Markdown, CSV and TSV files are views of the Document, and each can be made
// again from it.
package result

import (
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Schema is the version of Document. It changes when a field changes its
// meaning or goes; a new field does not change it.
const Schema = "heapwright.report/1"

// Document holds all of an experiment: what was asked, what was measured, what
// follows.
type Document struct {
	Schema   string    `json:"schema"`
	Tool     string    `json:"tool"` // version of heapwright
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"` // zero while running or when cut short
	Command  []string  `json:"command"`           // as typed
	Dir      string    `json:"dir"`               // where it was typed
	Machine  Machine   `json:"machine"`
	Target   string    `json:"target"` // for people: "./workloads/binarytrees"
	Seed     uint64    `json:"seed"`
	Looks    []int     `json:"looks"`  // block counts at which it was decided whether to go on
	Blocks   int       `json:"blocks"` // blocks that were run
	Baseline string    `json:"baseline"`
	Stopped  string    `json:"stopped,omitempty"` // why it ended: "every question decided", "budget", "interrupted"

	Modes      []Mode            `json:"modes"`
	Benchmarks []Benchmark       `json:"benchmarks"`
	Runs       []sample.Run      `json:"runs"`
	Untimed    []sample.Run      `json:"untimed,omitempty"` // probe runs: GC figures
	Disturbed  []Disturbed       `json:"disturbed,omitempty"`
	Failures   []Failure         `json:"failures,omitempty"`
	Unmatched  []Unmatched       `json:"unmatched,omitempty"` // benchmarks that could not be compared
	Effects    []verdict.Effect  `json:"effects"`
	Control    []verdict.Effect  `json:"control"` // the A/A control: baseline against itself
	Summaries  []verdict.Summary `json:"summaries"`
	Warnings   []string          `json:"warnings,omitempty"`
	Missing    map[string]string `json:"missing,omitempty"` // metric → why this system does not have it

	PerBlock float64 `json:"seconds_per_block,omitempty"` // what a block took, where it ended for want of time
}

// Machine is where the figures were taken.
type Machine struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	CPU    string `json:"cpu,omitempty"`
	Cores  int    `json:"cores"`  // usable by a process: GOMAXPROCS
	Memory int64  `json:"memory"` // bytes; 0 where unknown
}

// Mode is one mode as it was built and run.
type Mode struct {
	Name     string        `json:"name"`
	Build    []string      `json:"build,omitempty"` // the exact commands, environment first
	Run      []string      `json:"run,omitempty"`
	Identity mode.Identity `json:"identity"`
	Binaries []string      `json:"binaries,omitempty"` // SHA-256 of every built file, in the order of packages
	Failed   string        `json:"failed,omitempty"`   // why the mode could not be built or proven
}

// Benchmark is one row of the experiment.
type Benchmark struct {
	sample.Key
	Iterations int `json:"iterations"` // of a run, fixed for all modes; of all parts together where one run has several
}

// Disturbed is a block in which the hypervisor kept back much of the CPU time
// that was wanted. What it measured is not in Runs if it was repeated.
type Disturbed struct {
	Block    int     `json:"block"`
	Stolen   float64 `json:"stolen"` // share of the CPU time wanted
	Repeated bool    `json:"repeated"`
}

// Failure is a run that gave no sample.
type Failure struct {
	sample.Key
	Mode   string `json:"mode"`
	Block  int    `json:"block"`
	Reason string `json:"reason"`           // "exit status 2", "killed: out of memory", "timed out after 30s"
	Output string `json:"output,omitempty"` // the last lines
}

// Unmatched is a benchmark that one mode has and another one, built from other
// sources, has not.
type Unmatched struct {
	sample.Key
	Mode string `json:"mode"` // that has it
}
