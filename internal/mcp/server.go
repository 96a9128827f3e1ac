package mcp

import (
	"context"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Options configure a server. Root, OutDir and NewDocument are required.
type Options struct {
	Root   string // the folder that all calls stay in, absolute
	OutDir string // diagnoses, patches and comparisons are kept here
	// Target is measured by calls that name neither a folder nor packages; nil is ./...
	Target target.Target
	// Allowed are the rules of package guard that do not hold.
	Allowed []string
	Race    bool          // run the tests of a patch with the race detector, too
	Tests   time.Duration // the longest run of tests; 0 is DefaultTests
	Tool    string        // version of heapwright
	Command []string      // the command line, to be recorded
	// NewDocument begins the document of an experiment.
	NewDocument func() *result.Document
}

// DefaultTests is the time for a run of the tests: clients wait for minutes, not for hours.
const DefaultTests = 2 * time.Minute

// server is what the tools share.
type server struct {
	Options
	turn    turn
	patches counter
}

const instructions = `Heapwright measures the CPU time and memory that a Go program spends on allocation and
garbage collection, and judges changes. The usual order: diagnose finds the expensive lines;
explain_site shows one of them with its source, the reason for its escape and a remedy; write a
unified diff; compare_patch measures it against the original and runs the tests. Do not claim an
improvement that compare_patch did not call kept. Benchmarks decide what is measured, so name
packages whose benchmarks are like production. One measurement runs at a time.`

// Serve answers a client until it closes the connection or the context ends. When Serve
// returns, no process that a call started is left.
func Serve(ctx context.Context, o Options, t sdk.Transport) error {
	if o.Tests <= 0 {
		o.Tests = DefaultTests
	}
	s := &server{Options: o}
	to := sdk.NewServer(
		&sdk.Implementation{Name: "heapwright", Title: "Heapwright", Version: o.Tool},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}},
	)
	add(ctx, to, diagnoseTool, s.diagnose)
	add(ctx, to, priceTool, s.price)
	add(ctx, to, listTool, s.list)
	add(ctx, to, explainTool, s.explain)
	add(ctx, to, compareTool, s.compare)
	if err := to.Run(ctx, t); ctx.Err() == nil {
		return err
	}
	return nil
}

// add adds a tool. Its function gets a context that ends with the call and with the server.
// The answer is sent as text and as data.
func add[In any, Out fmt.Stringer](
	ctx context.Context, to *sdk.Server, tool *sdk.Tool, do func(context.Context, *progress, In) (Out, error),
) {
	handle := func(own context.Context, call *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		own, cancel := context.WithCancel(own)
		defer cancel()
		stop := context.AfterFunc(ctx, cancel)
		defer stop()
		p := newProgress(own, call)
		out, err := do(own, p, in)
		p.end()
		if err != nil {
			return nil, out, &refusal{err}
		}
		text := &sdk.TextContent{Text: termtext.HarmlessLines(out.String())}
		return &sdk.CallToolResult{Content: []sdk.Content{text}}, out, nil
	}
	sdk.AddTool(to, tool, handle)
}

// refusal is an error whose text is harmless on the client's terminal.
type refusal struct{ error }

func (r *refusal) Error() string { return termtext.HarmlessLines(r.error.Error()) }

// local says of a tool that it reaches nothing but this machine, and destroys nothing.
func local(title string, reads bool) *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{Title: title, ReadOnlyHint: reads, DestructiveHint: &no, OpenWorldHint: &no}
}
