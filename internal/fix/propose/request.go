package propose

import (
	"path/filepath"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/fix/guard"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
)

// Schema is the version of Request. It changes when a field changes its meaning or goes; a
// new field does not change it.
const Schema = "heapwright.proposal/1"

// task is for a reader that knows nothing else of heapwright.
const task = "Reduce the memory cost of the finding without a change of behavior. Standard input is this document; " +
	"the current folder is a copy of the module. Print one unified diff, with names relative to that folder, on " +
	"standard output, and nothing if you know no improvement. The diff must apply to the files as they are. It is " +
	"built, tested, race-tested and measured against the original; it is kept only if CPU time, bytes or allocations " +
	"are better and nothing is worse."

// Request is the document that a proposer reads.
type Request struct {
	Schema string `json:"schema"`
	Task   string `json:"task"`
	// Target is the program or the packages that are measured, and Benchmarks are the
	// benchmarks of it.
	Target     string       `json:"target"`
	Benchmarks []sample.Key `json:"benchmarks,omitempty"`
	// Round counts from 1 to Rounds.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Finding has the line, the estimate, the reason for the escape, the heaviest stack and
	// the price, as in the JSON of diagnose.
	Finding rules.Finding `json:"finding"`
	// Sources are the module's files on the finding's stack.
	Sources []Source `json:"sources"`
	// Constraints are the rules of the guard that hold.
	Constraints []guard.Rule `json:"constraints"`
	// Tried are the earlier proposals for the finding, with the reasons why they failed.
	Tried []Attempt `json:"tried,omitempty"`
}

// Source is a file of the module.
type Source struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// Attempt is a proposal that was not kept.
type Attempt struct {
	Patch string `json:"patch,omitempty"`
	Why   string `json:"why"`
	// Refused are the rules that it breaks, all places of them.
	Refused []guard.Refusal `json:"refused,omitempty"`
}

// NewRequest describes a finding of the module in root. Allowed are rules of the guard
// that do not hold.
func NewRequest(root string, f rules.Finding, allowed []string) *Request {
	r := &Request{Schema: Schema, Task: task, Finding: f, Sources: sources(root, f), Constraints: []guard.Rule{}}
	for _, rule := range guard.Rules {
		if !slices.Contains(allowed, rule.Name) {
			r.Constraints = append(r.Constraints, rule)
		}
	}
	return r
}

// maxSources bounds all sources of a request in bytes: a model reads about so much at once.
const maxSources = 256 << 10

// sources returns the files of the line to change and of the stack, as far as they are the
// module's.
func sources(root string, f rules.Finding) []Source {
	frames := []evidence.Frame{{File: f.File}}
	if f.Change != nil {
		frames = append(frames, *f.Change)
	}
	all, size, seen := []Source{}, 0, map[string]bool{}
	for _, at := range append(frames, f.Path...) {
		if seen[at.File] || !filepath.IsLocal(at.File) {
			continue
		}
		seen[at.File] = true
		text, err := patch.Read(filepath.Join(root, filepath.FromSlash(at.File)))
		if err != nil || size+len(text) > maxSources {
			continue // not the module's, or too much
		}
		size += len(text)
		all = append(all, Source{File: at.File, Text: string(text)})
	}
	return all
}
