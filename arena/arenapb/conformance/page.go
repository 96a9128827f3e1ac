package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/arena/arenapb"
)

// A page holds all results.
type page struct {
	args     string
	suites   []*suiteResult // proto.Unmarshal has the first
	noSuites error
	tables   []*tableResult
	inputs   []*inputsResult
	jsonTest int    // cases of the test of protojson.Unmarshal
	version  string // the version of google.golang.org/protobuf
	system   string
}

// differs reports whether a decoder does not pass the tests that proto.Unmarshal
// passes.
func (p *page) differs() bool {
	for _, s := range p.suites {
		if !s.same(p.suites[0]) {
			return true
		}
	}
	return false
}

const head = `# Conformance of arenapb

This page is the output of one command:

    go run ./arena/arenapb/conformance%s > docs/results/arenapb-conformance.md

%s, google.golang.org/protobuf %s.

## The official suite

`

func (p *page) write(w io.Writer) {
	fmt.Fprintf(w, head, p.args, p.system, p.version)
	if p.noSuites != nil {
		fmt.Fprintf(w, "The suite was not run: %v.\n", p.noSuites)
	} else {
		p.writeSuites(w)
	}
	fmt.Fprint(w, `
## The tests of proto.Unmarshal

The table of tests of google.golang.org/protobuf/proto, as it is in the module cache. arenapb decodes each message with text in
the arena, on the heap and aliased. The results and the errors are those that the table asks for, for required fields too, and
the decoded messages marshal to the same bytes. The command fails if one of them differs.

| build tags | valid | invalid |
| --- | ---: | ---: |
`)
	for _, t := range p.tables {
		fmt.Fprintf(w, "| `%s` | %d | %d |\n", t.tags, t.valid, t.invalid)
	}
	fmt.Fprintf(w, "\nIn the test of protojson.Unmarshal, arenapb.UnmarshalJSON takes its place, with text in the three places. All of its %d cases pass.\n", p.jsonTest)
	if len(p.inputs) > 0 {
		p.writeInputs(w)
	}
}

func (p *page) writeSuites(w io.Writer) {
	fmt.Fprintf(w, `The runner is that of protobuf %s. Recommended tests count, editions up to 2023 are tested. JSON is decoded by
protojson.Unmarshal in the first row, and by arenapb.UnmarshalJSON in the others.

| decoder | passed | failed | skipped | as proto.Unmarshal |
| --- | ---: | ---: | ---: | --- |
`, runnerVersion)
	for _, s := range p.suites {
		verdict := "yes"
		if !s.same(p.suites[0]) {
			verdict = "**no**"
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %s |\n", s.decoder, s.successes, len(s.failures), s.skipped, verdict)
	}
	listed := ""
	for _, s := range p.suites {
		failures := strings.Join(s.failures, "\n")
		if failures != listed {
			fmt.Fprintf(w, "\nFailures of %s:\n\n", s.decoder)
			for _, name := range s.failures {
				fmt.Fprintf(w, "- %s\n", name)
			}
		}
		listed = failures
	}
	fmt.Fprint(w, "\narenapb leaves these parts of the suite's messages to proto.Unmarshal:\n\n")
	for _, m := range testMessages {
		for _, sentence := range arenapb.Explain(m) {
			fmt.Fprintf(w, "- %s\n", sentence)
		}
	}
}

func (p *page) writeInputs(w io.Writer) {
	fmt.Fprint(w, `
## Changed messages

Random messages, whose fields were moved, repeated, cut, split, nested, renumbered and re-encoded, some several times over.
Options vary too: where text lies, merging, unknown fields, required fields, the recursion limit. Both decoders accept a message
or both refuse it; accepted ones are equal and marshal to the same bytes. The command fails at the first difference.

| build | types | inputs | accepted | refused |
| --- | ---: | ---: | ---: | ---: |
`)
	for _, r := range p.inputs {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", r.build, r.types, r.accepted+r.refused, r.accepted, r.refused)
	}
}
