package mcp

import (
	"bufio"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/rules"
)

var explainTool = &sdk.Tool{
	Name: "explain_site",
	Description: "Explain one line of the last diagnosis: its source, who calls it, why the compiler puts its values " +
		"on the heap, how much it allocates and what of that survives, and the remedy, with a diff where a check " +
		"knows a safe change.",
	Annotations: local("Explain an expensive line", true),
}

type explainArgs struct {
	Finding int    `json:"finding,omitempty" jsonschema:"number of a finding in list_findings"`
	File    string `json:"file,omitempty" jsonschema:"instead of finding, with line: a file, or the end of its name"`
	Line    int    `json:"line,omitempty"`
}

// explanation is everything that is known about a line.
type explanation struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Function string   `json:"function"`
	Source   string   `json:"source,omitempty" jsonschema:"the lines around it, with their numbers"`
	Finding  *finding `json:"finding,omitempty"`
	Path     []string `json:"path,omitempty" jsonschema:"the heaviest call path, the innermost function first"`
	Escape   string   `json:"escape,omitempty" jsonschema:"why the compiler puts the value on the heap"`
	Remedy   string   `json:"remedy,omitempty"`
	Example  string   `json:"example,omitempty" jsonschema:"Go code of another program that shows the remedy"`
	Change   string   `json:"change,omitempty" jsonschema:"unified diff of a safe change; hand it to compare_patch"`
	Check    string   `json:"check,omitempty" jsonschema:"the static check that proposes the change"`
	Risk     string   `json:"risk,omitempty"`
	Memory   *memory  `json:"memory,omitempty" jsonschema:"what the line allocates"`

	text string
}

// memory is what a line allocates.
type memory struct {
	Bytes    float64  `json:"bytes"`
	Objects  float64  `json:"objects"`
	Share    float64  `json:"share" jsonschema:"of all allocated bytes"`
	Survives *float64 `json:"survives,omitempty" jsonschema:"share of the bytes that still lived at the end"`
	Behaves  string   `json:"behaves" jsonschema:"churns: nearly all of it dies; grows: more of it lives each hour"`
	CPU      interval `json:"cpu" jsonschema:"share of CPU time that allocating nothing there would save"`
}

func (e *explanation) String() string { return e.text }

func (s *server) explain(_ context.Context, _ *progress, in explainArgs) (*explanation, error) {
	if (in.Finding == 0) == (in.File == "" || in.Line == 0) {
		return nil, fmt.Errorf("give finding, a number of list_findings, or else file and line")
	}
	d, err := s.last()
	if err != nil {
		return nil, err
	}
	number, f, site := in.Finding, (*rules.Finding)(nil), (*diagnose.Place)(nil)
	if number == 0 {
		number, f, site = look(d, in.File, in.Line)
	} else if number >= 1 && number <= len(d.Findings) {
		f = &d.Findings[number-1]
		site = siteOf(d, f.File, f.Line)
	} else {
		return nil, fmt.Errorf("finding %d: the last diagnosis has %s; list_findings lists them",
			number, format.Plural(len(d.Findings), "finding"))
	}
	if f == nil && site == nil {
		return nil, fmt.Errorf("%s:%d is no expensive line of the last diagnosis, or has moved since; "+
			"list_findings lists them", in.File, in.Line)
	}
	e := &explanation{}
	var out strings.Builder
	if f != nil {
		e.describe(number, f)
		w := bufio.NewWriter(&out)
		view.Finding(w, number, f)
		w.Flush()
	} else {
		e.File, e.Line, e.Function = site.File, site.Line, site.Function
		e.Path = functions(site.Path)
		fmt.Fprintf(&out, "%s:%d in %s\nNo rule has a remedy for this line.\n", e.File, e.Line, e.Function)
	}
	if site != nil {
		e.Memory = &memory{
			Bytes: site.Alloc.Bytes, Objects: site.Alloc.Objects, Share: site.Share, Survives: site.Survives,
			Behaves: string(site.Behaves), CPU: interval(site.CPU),
		}
		fmt.Fprintf(&out, "\nThe line allocates %s of all bytes (%s in %s objects while profiled) and %s: %s.\n",
			format.RoughShare(site.Share), format.Bytes(site.Alloc.Bytes), format.Count(site.Alloc.Objects),
			site.Behaves, site.Why)
	}
	if e.Source = s.excerpt(d.Root, e.File, e.Line); e.Source != "" {
		fmt.Fprintf(&out, "\n%s:\n%s", e.File, e.Source)
	}
	e.text = out.String()
	return e, nil
}

// look returns what a diagnosis has about a line.
func look(d *diagnose.Document, file string, line int) (number int, f *rules.Finding, site *diagnose.Place) {
	file = path.Clean(filepath.ToSlash(file))
	named := func(name string) bool { return name == file || strings.HasSuffix(name, "/"+file) }
	for i := range d.Findings {
		if g := &d.Findings[i]; g.Line == line && named(g.File) {
			return i + 1, g, siteOf(d, g.File, line)
		}
	}
	for i := range d.Sites {
		if p := &d.Sites[i]; p.Line == line && named(p.File) {
			return 0, nil, p
		}
	}
	return 0, nil, nil
}

func (e *explanation) describe(number int, f *rules.Finding) {
	row := rowOf(number, f)
	e.Finding, e.File, e.Line, e.Function = &row, f.File, f.Line, f.Function
	e.Path, e.Escape, e.Remedy, e.Example = functions(f.Path), f.Escape, f.Remedy, f.Example
	e.Change, e.Check, e.Risk = f.Patch, f.Check, f.Risk
}

// maxFrames bounds a call path. The outermost calls say least.
const maxFrames = 12

func functions(frames []evidence.Frame) (all []string) {
	for _, f := range frames[:min(len(frames), maxFrames)] {
		all = append(all, fmt.Sprintf("%s (%s:%d)", f.Function, f.File, f.Line))
	}
	return all
}

// around is the number of lines before and after a line that make it understood.
const around = 8

// excerpt returns the lines around a line of the module that a diagnosis is of, "" if they
// cannot be shown. The diagnosis may have come with somebody else's repository, so its names
// are not trusted.
func (s *server) excerpt(root, file string, line int) string {
	own, err := module(s.Root)
	if err != nil || root == "" || filepath.Ext(file) != ".go" {
		return ""
	}
	below, err := filepath.Rel(own, filepath.Join(root, filepath.FromSlash(file)))
	if err != nil || !filepath.IsLocal(below) || input.LeadsOut(own, below) != nil {
		return ""
	}
	text, err := patch.Read(filepath.Join(own, below))
	if err != nil {
		return ""
	}
	var out strings.Builder
	for i, l := range strings.Split(string(text), "\n") {
		if n := i + 1; n >= line-around && n <= line+around {
			fmt.Fprintf(&out, "%d\t%s\n", n, strings.TrimRight(l, "\r"))
		}
	}
	return out.String()
}
