package view

import (
	"encoding/xml"
	"io"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
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
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the result of a gate as JUnit XML: a test case for each metric of
// each benchmark. An inconclusive one counts as skipped, unless the gate is strict; a
// benchmark that no longer runs is an error.
func JUnit(w io.Writer, r *gate.Result, strict bool) error {
	s := junitSuite{Name: "heapwright gate"}
	for _, e := range r.Rows {
		c := junitCase{Class: termtext.Harmless(e.Package),
			Name: termtext.Harmless(e.Benchmark) + " " + termtext.Harmless(e.Metric)}
		message := &junitMessage{Message: figures(e)}
		for _, site := range e.Sites {
			message.Text += growth(e, site) + "\n"
		}
		switch {
		case e.Outcome == gate.Fail, e.Outcome == gate.Inconclusive && strict:
			c.Failure = message
			s.Failures++
		case e.Outcome != gate.Pass:
			c.Skipped = message
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	for _, f := range r.Broken {
		message := &junitMessage{Message: termtext.Harmless(f.Reason)}
		for _, l := range termtext.LastLines(f.Output, 20) {
			message.Text += l + "\n"
		}
		s.Cases = append(s.Cases, junitCase{Class: termtext.Harmless(f.Package),
			Name: termtext.Harmless(f.Benchmark), Error: message})
		s.Errors++
	}
	for side, keys := range map[string][]sample.Key{r.Base: r.OnlyBase, r.Head: r.OnlyHead} {
		for _, k := range keys {
			message := &junitMessage{Message: "only in " + termtext.Harmless(side) + ", not compared"}
			s.Cases = append(s.Cases, junitCase{Class: termtext.Harmless(k.Package),
				Name: termtext.Harmless(k.Benchmark), Skipped: message})
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
