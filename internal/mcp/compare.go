package mcp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/fix"
	"github.com/heapwright/heapwright/internal/fix/guard"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
)

// usualComparison in seconds decides a change of a few per cent in one or two benchmarks.
const usualComparison = 120

// maxPatch bounds a diff in bytes. Package propose has the same limit.
const maxPatch = 1 << 20

var compareTool = &sdk.Tool{
	Name: "compare_patch",
	Description: "Judge a patch: refuse it if it breaks a rule (it may change only existing Go files of the module, " +
		"no tests, no exported API, no runtime settings, no results kept between calls), else measure the benchmarks " +
		"with and without it in turn, and run vet and the tests of all packages that it can affect. The outcome is " +
		"kept: better, and the tests pass; unproven: better, but no test runs the changed lines; or rejected. The " +
		"source files stay as they are, so hand over the diff without applying it. git diff --relative prints one " +
		"in the folder of go.mod. Measuring ends early once all is decided; builds and tests come on top.",
	Annotations: local("Judge a patch", false),
}

type compareArgs struct {
	place
	Patch  string `json:"patch" jsonschema:"unified diff; names are relative to the folder of go.mod"`
	Budget int    `json:"budget,omitempty" jsonschema:"most seconds to measure for, 1 to 900 (default 120)"`
}

// judgement is the answer of compare_patch.
type judgement struct {
	Outcome  string          `json:"outcome" jsonschema:"kept, unproven or rejected"`
	Why      string          `json:"why"`
	Refused  []guard.Refusal `json:"refused,omitempty" jsonschema:"places that break a rule"`
	Effects  []effect        `json:"effects,omitempty"`
	Failures []failure       `json:"failures,omitempty" jsonschema:"benchmarks that fail with the patch"`
	Tests    []fix.Step      `json:"tests,omitempty" jsonschema:"commands in a copy of the module"`
	Coverage scope           `json:"coverage"`
	Report   string          `json:"report,omitempty" jsonschema:"file for people, with plots and every sample"`
	Notes    []string        `json:"notes,omitempty" jsonschema:"doubts about the figures"`
}

// scope says how much of the target the effects account for.
type scope struct {
	Measured int      `json:"measured" jsonschema:"benchmarks that were measured"`
	LeftOut  []string `json:"left_out,omitempty" jsonschema:"for lack of time"`
	Blocks   int      `json:"blocks" jsonschema:"pairs of runs of each"`
	Stopped  string   `json:"stopped,omitempty" jsonschema:"why the measurement ended"`
}

// failure is a run that gave no figures.
type failure struct {
	Benchmark string `json:"benchmark"`
	Reason    string `json:"reason"`
	Output    string `json:"output,omitempty" jsonschema:"its last lines"`
}

func (s *server) compare(ctx context.Context, p *progress, in compareArgs) (out *judgement, err error) {
	switch {
	case strings.TrimSpace(in.Patch) == "":
		return nil, errors.New("patch is empty; give a unified diff, as git diff --relative prints it")
	case len(in.Patch) > maxPatch:
		return nil, fmt.Errorf("patch has more than %d bytes; give a smaller change", maxPatch)
	}
	work := func(ctx context.Context, budget time.Duration) error {
		out, err = s.judge(ctx, p, in, budget)
		return err
	}
	err = s.measure(ctx, "compare_patch", in.Budget, usualComparison, work)
	return out, err
}

func (s *server) judge(ctx context.Context, p *progress, in compareArgs, budget time.Duration) (*judgement, error) {
	dir, t, err := s.resolve(in.place)
	if err != nil {
		return nil, err
	}
	root, err := module(dir)
	if err != nil {
		return nil, err
	}
	plan := fix.Plan{
		Target: t, Dir: dir, OutDir: s.OutDir, Budget: budget, Tests: s.Tests, Race: s.Race, Handler: p,
		NewDocument: s.NewDocument,
	}
	name := fmt.Sprint(s.patches.next())
	c, doc, err := plan.Judge(ctx, fix.Proposal{Root: root, Patch: in.Patch, Name: name, Allowed: s.Allowed})
	if err != nil {
		return nil, fmt.Errorf("the patch could not be judged: %w", err)
	}
	j := &judgement{Outcome: string(c.Outcome), Why: c.Why, Refused: c.Refused, Tests: c.Proof}
	if doc == nil {
		return j, nil
	}
	folder := filepath.Join(s.OutDir, "proposals", name)
	if err := report.WriteAll(folder, doc); err != nil {
		return nil, err
	}
	j.Report = filepath.Join(folder, "report.html")
	j.measured(result.Finite(doc), c.Mode)
	if note := fix.Unconfined(); note != "" {
		j.Notes = append(j.Notes, note)
	}
	return j, nil
}

// measured takes the effects of a mode from a document.
func (j *judgement) measured(doc *result.Document, mode string) {
	j.Coverage = scope{Measured: len(doc.Benchmarks), Blocks: doc.Blocks, Stopped: doc.Stopped}
	for _, key := range doc.LeftOut {
		j.Coverage.LeftOut = append(j.Coverage.LeftOut, key.String())
	}
	for i := range doc.Failures {
		if f := &doc.Failures[i]; f.Mode == mode && len(j.Failures) < maxRows {
			j.Failures = append(j.Failures, failure{f.Key.String(), f.Reason, f.Output})
		}
	}
	j.Effects = effects(doc, mode)
	j.Notes = doc.Warnings[:min(len(doc.Warnings), maxNotes)]
}

// String is the judgement as a sentence and a table.
func (j *judgement) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s\n", j.Outcome, j.Why)
	for _, r := range j.Refused {
		fmt.Fprintf(&out, "  %s\n", r)
	}
	if len(j.Refused) > 0 {
		out.WriteString("Nothing of the patch was built or run. A patch must not:\n")
		for _, rule := range guard.Rules {
			fmt.Fprintf(&out, "  %s: %s\n", rule.Name, rule.Forbids)
		}
		return out.String()
	}
	if len(j.Effects) > 0 {
		out.WriteString("\n" + rowsOf(j.Effects).String())
	}
	for _, f := range j.Failures {
		fmt.Fprintf(&out, "\nfails: %s: %s\n%s", f.Benchmark, f.Reason, f.Output)
	}
	for _, s := range j.Tests {
		word := "passes"
		if !s.Passed {
			word = "fails: " + s.Output
		}
		fmt.Fprintf(&out, "\n%s %s", s.Name, word)
	}
	if j.Report != "" {
		fmt.Fprintf(&out, "\nCoverage: %s measured, in %s", format.Plural(j.Coverage.Measured, "benchmark"),
			format.Plural(j.Coverage.Blocks, "pair")+" of runs each")
		if n := len(j.Coverage.LeftOut); n > 0 {
			fmt.Fprintf(&out, "; %s left out, because the budget did not suffice", format.Plural(n, "benchmark"))
		}
		fmt.Fprintf(&out, ".\nFor people: %s", j.Report)
	}
	for _, n := range j.Notes {
		out.WriteString("\nDoubt: " + n)
	}
	return out.String()
}
