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

	diagnosis "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/report"
	"github.com/heapwright/heapwright/internal/report/plot"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/tune"
	"github.com/heapwright/heapwright/internal/webpage"
)

// HTML writes a tuning as one file that loads nothing. It shows the answer, and on other
// tabs the pages of the diagnosis and of the experiments, as the commands diagnose and
// compare write them.
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
	all := d.Comparisons()
	for i, doc := range all {
		id, title := fmt.Sprintf("comparison-%d", i+1), fmt.Sprintf("Comparison %d", i+1)
		switch {
		case i == 0:
			id, title = "modes", "The modes"
		case i == len(all)-1:
			id, title = "final", "The last comparison"
		}
		if err == nil {
			err = add(id, title, func(w io.Writer) error { return report.HTML(w, doc) })
		}
	}
	if err != nil {
		return err
	}
	return page.ExecuteTemplate(w, "page.html", s)
}

// link matches a link within a page. In a frame such a link would lead to the surrounding
// page, because the frame has the same address.
var link = regexp.MustCompile(`(<a [^<>]*href=")#`)

// shown is the data of the template.
type shown struct {
	*tune.Document
	Pages []tab
}

// A tab is a page within the page.
type tab struct{ ID, Title, Page string }

// Style returns the style sheet, with a rule for each tab that shows its page.
func (s shown) Style() template.CSS {
	all := style
	for _, p := range s.Pages {
		all += fmt.Sprintf("body:has(#tab-%s:checked) #%[1]s { display: block; }\n", p.ID)
	}
	return template.CSS(all)
}

// Policy returns the content security policy. It has the hashes of the style sheets and
// scripts of all pages, because a frame also obeys the policy of the surrounding page.
func (s shown) Policy() string {
	styles, scripts := []string{webpage.Hash(string(s.Style()))}, []string{webpage.Hash(script)}
	for _, p := range s.Pages {
		for kind, to := range map[string]*[]string{"style-src": &styles, "script-src": &scripts} {
			if m := regexp.MustCompile(kind + ` ([^;"]*)`).FindStringSubmatch(unescape.Replace(p.Page)); m != nil {
				*to = append(*to, strings.Fields(m[1])...)
			}
		}
	}
	return webpage.Policy(slices.Compact(styles), slices.Compact(scripts))
}

var unescape = strings.NewReplacer("&#39;", "'", "&#43;", "+", "&#34;", `"`)

// Sentences returns the sentences of the answer, the verdict first.
func (s shown) Sentences() []string {
	var all []string
	for sentence := range strings.SplitAfterSeq(s.Answer, ". ") {
		all = append(all, termtext.Harmless(strings.TrimSpace(sentence)))
	}
	return all
}

// Gains returns the values before and after, by the metrics that cost money or time.
func (s shown) Gains() []gain {
	var all []gain
	for _, g := range s.Advice.Gains {
		i := slices.IndexFunc(all, func(of gain) bool { return of.Benchmark == g.Benchmark })
		if i < 0 {
			i = len(all)
			all = append(all, gain{Benchmark: g.Benchmark})
		}
		all[i].Rows = append(all[i].Rows, gainRow{
			sample.Lookup(g.Metric).Title, format.Metric(g.Metric, g.Before), format.Metric(g.Metric, g.After),
			change(g), interval(g), g.Note, s.plot(g),
		})
	}
	if c := s.Savings; c != nil && c.Before > 0 {
		after := c.Before - c.Total
		all = append(all, gain{"all instances", []gainRow{{"cost a month", fmt.Sprintf("%.2f", c.Before),
			fmt.Sprintf("%.2f", after), format.Change(after / c.Before), "–", "", ""}}})
	}
	return all
}

// axis returns an axis on which the intervals of all gains fit.
func (s shown) axis() plot.Axis {
	var ratios []float64
	for _, g := range s.Advice.Gains {
		ratios = append(ratios, g.Ratio)
		if g.High > 0 {
			ratios = append(ratios, g.Low, g.High)
		}
	}
	return plot.NewAxis(ratios)
}

// Scale returns the head of the column with the plots.
func (s shown) Scale() template.HTML { return s.axis().Scale() }

// plot draws the interval of a gain. It returns "" if there is none.
func (s shown) plot(g tune.Gain) template.HTML {
	if g.Low == 0 && g.High == 0 {
		return ""
	}
	lower := sample.Lookup(g.Metric).Better == sample.Lower
	shape := "same"
	switch {
	case g.High < 1 && lower, g.Low > 1 && sample.Lookup(g.Metric).Better == sample.Higher:
		shape = "better"
	case g.Low > 1 && lower:
		shape = "worse"
	}
	return s.axis().Row(plot.Interval{Ratio: g.Ratio, Low: g.Low, High: g.High, Shape: shape})
}

func change(g tune.Gain) string {
	if g.Low == 0 && g.High == 0 {
		return format.Change(g.Ratio)
	}
	return format.ChangeWithin(g.Ratio, g.Low, g.High)
}

func interval(g tune.Gain) string {
	if g.Low == 0 && g.High == 0 {
		return "one run each"
	}
	return format.Interval(g.Low, g.High)
}

type gain struct {
	Benchmark string
	Rows      []gainRow
}

type gainRow struct {
	Metric, Before, After, Change, Interval, Note string
	Plot                                          template.HTML
}

// Lines returns the findings in the code, each with its saving.
func (s shown) Lines() []line {
	var all []line
	for _, i := range s.InCode() {
		f := &s.Diagnosis.Findings[i]
		l := line{Finding: f, Rank: i + 1, OnTop: "–"}
		if c := onTop(s.Document, f); c != nil {
			l.OnTop = diagnosis.Between(c.Saves)
		}
		all = append(all, l)
	}
	return all
}

type line struct {
	*rules.Finding
	Rank  int // rank in the diagnosis
	OnTop string
}

// Places returns the lines to paste, by the place where they belong.
func (s shown) Places() []tab {
	var all []tab
	for _, place := range slices.Sorted(maps.Keys(s.Advice.Lines)) {
		all = append(all, tab{Title: place, Page: termtext.HarmlessLines(s.Advice.Lines[place])})
	}
	return all
}

//go:embed page
var files embed.FS

var (
	style  = webpage.Style() + string(flame.ClassStyle()) + plot.Style() + pageFile("page.css")
	script = webpage.Script() + pageFile("page.js")
)

func pageFile(name string) string { return webpage.File(files, "page/"+name) }

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"script":  func() template.JS { return template.JS(script) },
	"symbols": plot.Symbols, "spending": diagnosis.Spending,
	"money":   func(v float64) string { return fmt.Sprintf("%.2f", v) },
	"plain":   termtext.Harmless,
	"repeat":  func(args []string) string { return termtext.Harmless(mode.CommandLine(nil, "heapwright", args...)) },
	"between": diagnosis.Between, "saving": diagnosis.Saving, "place": diagnosis.Place,
	"cpu":     func(t tune.Tried) string { return effect(t, sample.Primary) },
	"rss":     func(t tune.Tried) string { return effect(t, sample.PeakRSS) },
	"allowed": allowed, "collecting": collecting,
}).ParseFS(files, "page/*.html"))
