package view

import (
	"bytes"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/vet"
)

// The parts of SARIF 2.1.0 that code-scanning pages read
// (docs.oasis-open.org/sarif/sarif/v2.1.0).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool           `json:"tool"`
		Invocations []sarifInvocation   `json:"invocations"`
		Bases       map[string]sarifURI `json:"originalUriBaseIds"`
		ColumnKind  string              `json:"columnKind"`
		Results     []sarifResult       `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string         `json:"id"`
		Short   sarifText      `json:"shortDescription"`
		Full    sarifText      `json:"fullDescription"`
		Default sarifLevel     `json:"defaultConfiguration"`
		Tags    map[string]any `json:"properties"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Index     int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifURI    `json:"artifactLocation"`
		Region   sarifRegion `json:"region"`
	}
	sarifURI struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// SARIF writes the document as SARIF 2.1.0.
func SARIF(w io.Writer, d *vet.Document) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "heapwright vet", Version: d.Tool,
			URI: "https://github.com/heapwright/heapwright"}},
		Invocations: []sarifInvocation{{Successful: len(d.Failures) == 0}},
		Bases:       map[string]sarifURI{"SRCROOT": {URI: fileURI(d.Dir) + "/"}},
		ColumnKind:  "utf16CodeUnits",
		Results:     []sarifResult{},
	}
	index := map[string]int{}
	for i, c := range check.Checks {
		index[c.Name] = i
		short, _, _ := strings.Cut(c.Doc, "\n")
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: c.Name, Short: sarifText{short}, Full: sarifText{c.Doc}, Default: sarifLevel{level(c.Kind)},
			Tags: map[string]any{"tags": []string{"memory", string(c.Kind)}},
		})
	}
	for _, f := range d.Failures {
		notice := sarifNotification{"error", sarifText{f.String()}}
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, notice)
	}
	files := columns{dir: d.Dir, lines: map[string][][]byte{}}
	for _, r := range d.Reports {
		if r.Fixed {
			continue
		}
		result := sarifResult{
			Rule: r.Check, Index: index[r.Check], Level: level(r.Kind), Message: sarifText{r.Message + Costs(r.Costs)},
			Locations: []sarifLocation{{Physical: files.physical(r.Place)}},
		}
		for _, rel := range r.Related {
			if rel.Message == "" {
				continue // a line that costs, too
			}
			result.Related = append(result.Related, sarifLocation{
				ID: len(result.Related) + 1, Physical: files.physical(rel.Place), Message: &sarifText{rel.Message},
			})
		}
		run.Results = append(run.Results, result)
	}
	return termtext.JSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// level is the level of a fault, or of advice, on a code-scanning page.
func level(k check.Kind) string {
	if k == check.Correctness {
		return "error"
	}
	return "note"
}

func fileURI(file string) string {
	slashed := filepath.ToSlash(file)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a volume
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// columns turns columns in bytes into SARIF's columns, in UTF-16 code units.
type columns struct {
	dir   string
	lines map[string][][]byte
}

func (c columns) physical(p vet.Place) sarifPhysical {
	at := sarifURI{URI: (&url.URL{Path: p.File}).String(), Base: "SRCROOT"}
	file := filepath.FromSlash(p.File)
	if filepath.IsAbs(file) {
		at = sarifURI{URI: fileURI(file)}
	} else {
		file = filepath.Join(c.dir, file)
	}
	if _, read := c.lines[file]; !read {
		text, _ := source.ReadFile(file) // if it is gone since, columns stay in bytes
		c.lines[file] = bytes.Split(text, []byte("\n"))
	}
	return sarifPhysical{at, sarifRegion{
		StartLine: p.Line, StartColumn: c.column(file, p.Line, p.Column),
		EndLine: p.EndLine, EndColumn: c.column(file, p.EndLine, p.EndColumn),
	}}
}

func (c columns) column(file string, line, column int) int {
	lines := c.lines[file]
	if line > len(lines) || column-1 > len(lines[line-1]) {
		return column
	}
	return 1 + len(utf16.Encode([]rune(string(lines[line-1][:column-1]))))
}
