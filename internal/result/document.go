// Package result is the contract between the packages that measure and those that show.
//
// An experiment sends a stream of events and leaves one versioned Document. The terminal
// is a sink of the events. The table, HTML, Markdown, CSV and TSV files are views of the
// Document, and each can be written again from it.
package result

import (
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Schema is the version of Document. It changes when a field changes its
// meaning or goes; a new field does not change it.
const Schema = "heapwright.report/1"

// Document holds all of an experiment: the plan, the measurements, the conclusions.
type Document struct {
	Schema   string    `json:"schema"`
	Tool     string    `json:"tool"` // version of heapwright
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished,omitzero"` // zero while running or when cut short
	Command  []string  `json:"command"`           // the user typed this
	Dir      string    `json:"dir"`               // the folder in which it was typed
	Machine  Machine   `json:"machine"`
	Target   string    `json:"target"`             // "./workloads/binarytrees"
	Revision string    `json:"revision,omitempty"` // commit of the target's sources, "-dirty" where they were changed
	Plan     *Plan     `json:"plan,omitempty"`     // nil in documents of versions that did not record it
	Seed     uint64    `json:"seed"`
	Analyses []int     `json:"looks"`  // block counts of the interim analyses and the final one
	Blocks   int       `json:"blocks"` // blocks that were run
	Baseline string    `json:"baseline"`
	Stopped  string    `json:"stopped,omitempty"` // why it ended: "every question decided", "all blocks run", "budget", "interrupted"

	Modes      []Mode            `json:"modes"`
	Benchmarks []Benchmark       `json:"benchmarks"`
	Runs       []sample.Run      `json:"runs"`
	Untimed    []sample.Run      `json:"untimed,omitempty"`   // probe runs: GC figures
	StolenTime []StolenTime      `json:"disturbed,omitempty"` // blocks in which the hypervisor took CPU time
	Failures   []Failure         `json:"failures,omitempty"`
	Unmatched  []LoneBenchmark   `json:"unmatched,omitempty"` // benchmarks that could not be compared
	LeftOut    []sample.Key      `json:"left_out,omitempty"`  // benchmarks that did not fit into the budget, those that matter most first
	Effects    []verdict.Effect  `json:"effects"`
	Control    []verdict.Effect  `json:"control"` // the A/A control: baseline against itself
	Summaries  []verdict.Summary `json:"summaries"`
	Warnings   []string          `json:"warnings,omitempty"`
	Missing    map[string]string `json:"missing,omitempty"` // metric → why this system does not have it

	Traces []Trace `json:"traces,omitempty"` // runs with the execution tracer

	// Tuning is the answer of the tuning that this experiment is a part of, which
	// views show instead of one of their own; nil where it stands alone.
	Tuning *Tuning `json:"tuning,omitempty"`

	Compiling float64 `json:"seconds_of_compiling,omitempty"` // not counted against the budget
	PerBlock  float64 `json:"seconds_per_block,omitempty"`    // the average
}

// longest is the longest time between the stamps of an experiment that is believed,
// pauses before -resume included.
const longest = 366 * 24 * time.Hour

// Took returns the time from the beginning to the end. It is not known where the
// experiment has not ended, or a clock that was set between the two makes nonsense
// of their difference.
func (d *Document) Took() (took time.Duration, known bool) {
	took = d.Finished.Sub(d.Started)
	return took, !d.Finished.IsZero() && took >= 0 && took <= longest
}

// Tuning is the judgement of a tuning on the modes of one of its experiments.
type Tuning struct {
	Answer string                  `json:"answer"`
	Modes  map[string]ModeDecision `json:"modes"`
}

// ModeDecision is the decision on a mode, all things considered: the memory allowed, its
// price, the other experiments.
type ModeDecision struct {
	Decision verdict.Decision `json:"decision"`
	Reason   string           `json:"reason"`
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

	// Iterations is the same for all modes. A run with several parts counts all of them.
	Iterations int `json:"iterations"`
}

// StolenTime reports a block in which the hypervisor stole much of the CPU time
// that was wanted. If the block was repeated, these measurements are not in Runs.
type StolenTime struct {
	Block    int     `json:"block"`
	Share    float64 `json:"stolen"` // stolen time / CPU time wanted
	Repeated bool    `json:"repeated"`
}

// Failure is a run that gave no sample.
type Failure struct {
	sample.Key
	Mode   string `json:"mode"`
	Block  int    `json:"block"`            // 0 for a run before the first block
	Reason string `json:"reason"`           // "exit status 2", "killed: out of memory", "timed out after 30s"
	Output string `json:"output,omitempty"` // the last lines
}

// Run names the run that failed: "A in GOGC=50, block 3".
func (f *Failure) Run() string {
	run := f.Key.String() + " in " + f.Mode
	if f.Block > 0 {
		run += fmt.Sprintf(", block %d", f.Block)
	}
	return run
}

// Trace names the execution trace of a benchmark in a mode.
type Trace struct {
	sample.Key
	Mode   string   `json:"mode"`
	Page   string   `json:"page,omitempty"`   // the timeline, relative to the document's folder; "" where there is none
	Answer []string `json:"answer,omitempty"` // what the timeline shows, in sentences
	Failed string   `json:"failed,omitempty"` // why there is none
}

// LoneBenchmark is a benchmark that a mode has and another mode, built from other
// sources, has not.
type LoneBenchmark struct {
	sample.Key
	Mode string `json:"mode"` // the mode that has it
}
