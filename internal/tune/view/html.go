package view

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/diagnose"
	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/plain"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/tune"
)

// HTML writes a tuning as one file that loads nothing: the answer, and behind
// tabs the pages of the diagnosis and of the experiments, each as its own
// command writes it.
func HTML(w io.Writer, d *tune.Document) error {
	s := shown{Document: d}
	var b bytes.Buffer
	add := func(id, title string, write func(io.Writer) error) error {
		b.Reset()
		err := write(&b)
		s.Pages = append(s.Pages, tab{id, title, link.ReplaceAllString(b.String(), "${1}about:srcdoc#")})
		return err
	}
	err := add("why", "Where it goes, and what to change", func(w io.Writer) error { return diagnosis.HTML(w, d.Diagnosis) })
	for _, e := range []struct {
		id, title string
		doc       *result.Document
	}{{"modes", "The modes", d.Modes}, {"final", "The last comparison", d.Final}} {
		if err == nil && e.doc != nil {
			err = add(e.id, e.title, func(w io.Writer) error { return report.HTML(w, e.doc) })
		}
	}
	if err != nil {
		return err
	}
	return page.ExecuteTemplate(w, "page.html", s)
}

// link is a link within a page. In a frame it would lead to the page around, as
// the frame takes that page's address for its own.
var link = regexp.MustCompile(`(<a [^<>]*href=")#`)

// shown is what the template sees.
type shown struct {
	*tune.Document
	Pages []tab
}

// tab is a page within the page.
type tab struct{ ID, Title, Page string }

// Policy lets this page use its style, and the pages in it theirs: a frame obeys
// the policy of the page around it as well as its own.
func (s shown) Policy() string {
	styles := []string{plain.Hash(style)}
	var scripts []string
	for _, p := range s.Pages {
		for kind, to := range map[string]*[]string{"style-src": &styles, "script-src": &scripts} {
			if m := regexp.MustCompile(kind + ` ([^;"]*)`).FindStringSubmatch(unescape.Replace(p.Page)); m != nil {
				*to = append(*to, strings.Fields(m[1])...)
			}
		}
	}
	return plain.Policy(slices.Compact(styles), slices.Compact(scripts))
}

var unescape = strings.NewReplacer("&#39;", "'", "&#43;", "+", "&#34;", `"`)

// Told is the answer in sentences, the verdict first.
func (s shown) Told() []string {
	var told []string
	for sentence := range strings.SplitAfterSeq(s.Answer, ". ") {
		told = append(told, plain.Harmless(strings.TrimSpace(sentence)))
	}
	return told
}

// Gains are before and after, by what people pay for and wait for.
func (s shown) Gains() []gain {
	var all []gain
	for _, g := range s.Advice.Gains {
		i := slices.IndexFunc(all, func(of gain) bool { return of.Benchmark == g.Benchmark })
		if i < 0 {
			i = len(all)
			all = append(all, gain{Benchmark: g.Benchmark})
		}
		all[i].Rows = append(all[i].Rows, gainRow{
			sample.Lookup(g.Metric).Title, report.Value(g.Metric, g.Before), report.Value(g.Metric, g.After),
			report.Change(g.Ratio), interval(g),
		})
	}
	if c := s.Savings; c != nil && c.Before > 0 {
		after := c.Before - c.Total
		all = append(all, gain{"all instances", []gainRow{{"cost a month", fmt.Sprintf("%.2f", c.Before), fmt.Sprintf("%.2f", after), report.Change(after / c.Before), "–"}}})
	}
	return all
}

func interval(g tune.Gain) string {
	if g.Low == 0 && g.High == 0 {
		return "one run each"
	}
	return report.Interval(g.Low, g.High)
}

type gain struct {
	Benchmark string
	Rows      []gainRow
}

type gainRow struct{ Metric, Before, After, Change, Interval string }

// Lines are the findings: lines of code, and what each could save.
func (s shown) Lines() []line {
	var all []line
	for i := range s.Diagnosis.Findings {
		f := &s.Diagnosis.Findings[i]
		l := line{Finding: f, OnTop: "–"}
		if c := onTop(s.Document, f); c != nil {
			l.OnTop = diagnosis.Between(c.Saves)
		}
		all = append(all, l)
	}
	return all
}

type line struct {
	*diagnose.Finding
	OnTop string
}

// Places are the lines to paste.
func (s shown) Places() []tab {
	var all []tab
	for _, place := range slices.Sorted(maps.Keys(s.Advice.Lines)) {
		all = append(all, tab{Title: place, Page: pasteable(s.Advice.Lines[place])})
	}
	return all
}

// pasteable is harmless, and has the line breaks and tabs that code has.
func pasteable(code string) string {
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		parts := strings.Split(l, "\t")
		for j, part := range parts {
			parts[j] = plain.Harmless(part)
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

//go:embed page
var files embed.FS

var style = func() string {
	data, err := files.ReadFile("page/page.css")
	if err != nil {
		panic(err) // it is a part of the binary
	}
	return string(data)
}()

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(style) },
	"plain": plain.Harmless,
	"share": diagnosis.Share, "between": diagnosis.Between, "place": diagnosis.Place,
	"cpu":     func(m map[string]float64) string { return ratio(m, sample.Primary) },
	"rss":     func(m map[string]float64) string { return ratio(m, "peak-RSS-bytes") },
	"allowed": allowed, "classes": classes,
}).ParseFS(files, "page/*.html"))
