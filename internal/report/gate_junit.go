package report

import (
	"encoding/xml"
	"io"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/sample"
)

// The part of JUnit's XML that code hosts read.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Failure *junitSay `xml:"failure,omitempty"`
	Error   *junitSay `xml:"error,omitempty"`
	Skipped *junitSay `xml:"skipped,omitempty"`
}

type junitSay struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// GateJUnit writes what a gate found as JUnit XML: a test case for each metric
// of each benchmark. What is inconclusive counts as skipped, unless the gate is
// strict; a benchmark that no longer runs is an error.
func GateJUnit(w io.Writer, r *gate.Result, strict bool) error {
	s := junitSuite{Name: "heapwright gate"}
	for _, e := range r.Rows {
		c := junitCase{Class: plain.Harmless(e.Package), Name: plain.Harmless(e.Benchmark) + " " + plain.Harmless(e.Metric)}
		said := &junitSay{Message: gateFigures(e)}
		for _, site := range e.Sites {
			said.Text += gateSite(e, site) + "\n"
		}
		switch {
		case e.Outcome == gate.Fail, e.Outcome == gate.Inconclusive && strict:
			c.Failure = said
			s.Failures++
		case e.Outcome != gate.Pass:
			c.Skipped = said
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	for _, f := range r.Broken {
		said := &junitSay{Message: plain.Harmless(f.Reason)}
		for _, l := range lastLines(f.Output, 20) {
			said.Text += l + "\n"
		}
		s.Cases = append(s.Cases, junitCase{Class: plain.Harmless(f.Package), Name: plain.Harmless(f.Benchmark), Error: said})
		s.Errors++
	}
	for side, keys := range map[string][]sample.Key{r.Base: r.OnlyBase, r.Head: r.OnlyHead} {
		for _, k := range keys {
			said := &junitSay{Message: "only in " + plain.Harmless(side) + ", not compared"}
			s.Cases = append(s.Cases, junitCase{Class: plain.Harmless(k.Package), Name: plain.Harmless(k.Benchmark), Skipped: said})
			s.Skipped++
		}
	}
	s.Tests = len(s.Cases)
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append([]byte(xml.Header), append(text, '\n')...))
	return err
}
