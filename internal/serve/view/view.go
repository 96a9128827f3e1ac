// Package view shows a fleet and its services as pages.
//
// The stance: every page has an address that shows the same tomorrow, works without its
// script, and shows foreign text so that it can do no harm.
package view

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"strings"
	"time"

	diagnosed "github.com/heapwright/heapwright/internal/diagnose/view"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/termtext"
	"github.com/heapwright/heapwright/internal/webpage"
)

// Fleet writes the page of the fleet.
func Fleet(w io.Writer, f *serve.Fleet) error { return page.ExecuteTemplate(w, "fleet.html", f) }

// Service is the data of a service's page.
type Service struct {
	*serve.Judgement
	Curves []serve.Series
	PGO    *serve.PGO   // nil without a CPU profile
	Asked  serve.Window // the window before the judgement chose a version
	Rates  serve.Rates
}

// Write writes the page of a service.
func (s *Service) Write(w io.Writer) error { return page.ExecuteTemplate(w, "service.html", s) }

//go:embed page
var files embed.FS

var (
	style  = webpage.Style() + webpage.File(files, "page/page.css")
	script = webpage.Script() + webpage.File(files, "page/page.js")
)

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"script": func() template.JS { return template.JS(script) },
	"policy": func() string {
		return webpage.Policy([]string{webpage.Hash(style)}, []string{webpage.Hash(script)})
	},
	"plain":   termtext.Harmless,
	"place":   diagnosed.Place,
	"saving":  diagnosed.Saving,
	"bytes":   format.Bytes,
	"size":    func(n int64) string { return format.Bytes(float64(n)) },
	"count":   format.Plural,
	"count64": func(n int64, name string) string { return format.Plural(int(n), name) },
	"number":  func(v int) string { return format.Count(float64(v)) },
	"digits":  digits,
	"curve":   curve,
	"between": between,
	"memory":  memory,
	"clock":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"stamp":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"since":   since,
	"lasting": lasting,
	"notes":   sortNotes,
	"kinds":   func() map[string]string { return Kinds },
	"days":    func(d time.Duration) string { return format.Plural(int(d.Hours()/24), "day") },
	"inc":     func(i int) int { return i + 1 },
	"address": address,
	"windows": windows,
	"before":  before,
	"month":   func(r serve.Rates, u serve.Usage) string { return digits(r.Month(u.Cores, u.Bytes)) },
	"first":   firstFinding,
	"columns": columns,
	"change":  change,
	"share":   format.Share,

	"pgo":        pgo,
	"sidebyside": sideBySide,
	"compared":   compared,

	"refusals": refusals,
}).ParseFS(files, "page/*.html"))

// digits writes a figure. A tiny one would have an exponent and matter to nobody.
func digits(v float64) string {
	if v > 0 && v < 0.001 {
		return "<0.001"
	}
	return format.Digits(v)
}

// between writes a range of any figure.
func between(r evidence.Range) string {
	low, high := digits(r.Low), digits(r.High)
	if low == high {
		return high
	}
	return low + "–" + high
}

// memory writes a range of bytes.
func memory(r evidence.Range) string {
	low, high := format.Bytes(r.Low), format.Bytes(r.High)
	if low == high {
		return high
	}
	return low + "–" + high
}

func since(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return lasting(t) + " ago"
}

func lasting(t time.Time) string {
	return format.Seconds(time.Since(t).Round(time.Second).Seconds())
}

// notes are the notes of a diagnosis. A server never has the source, so the notes that ask for
// it are many, and one sentence says as much.
type notes struct {
	Others     []string
	Sourceless bool
}

func sortNotes(all []string) (n notes) {
	for _, text := range all {
		aboutRules := strings.HasPrefix(text, "rule ") || strings.HasPrefix(text, "without the source ")
		if aboutRules && strings.HasSuffix(text, evidence.GiveSource) {
			n.Sourceless = true
		} else {
			n.Others = append(n.Others, text)
		}
	}
	return n
}

// address returns the address of a page for a window: "service", "diagnosis", "flame".
func address(what string, w serve.Window, more ...string) string {
	q := url.Values{"from": {w.From.UTC().Format(time.RFC3339)}, "to": {w.To.UTC().Format(time.RFC3339)}}
	if w.Version != "" {
		q.Set("version", w.Version)
	}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return "/" + what + "/" + url.PathEscape(w.Service) + "?" + q.Encode()
}

// pgo is the address of the profile for the compiler.
func pgo(w serve.Window) string {
	path, query, _ := strings.Cut(address("pgo", w), "?")
	return path + "/default.pgo?" + query
}

// Kinds are the flame graphs of a service, by the name in their address.
var Kinds = map[string]string{
	"cpu": "CPU", "alloc_space": "allocated bytes", "inuse_space": "live heap", "goroutine": "goroutines",
}

// link is a place to go to, with its name.
type link struct{ Name, Address string }

// windows are the windows that a page offers beside its own.
func windows(w serve.Window) []link {
	span := w.To.Sub(w.From)
	moved := func(by time.Duration) serve.Window {
		m := w
		m.From, m.To = w.From.Add(by), w.To.Add(by)
		return m
	}
	all := []link{{"earlier", address("service", moved(-span))}, {"later", address("service", moved(span))}}
	for _, last := range []string{"15m", "1h", "6h", "24h"} {
		all = append(all, link{"last " + last, fmt.Sprintf("/service/%s?last=%s", url.PathEscape(w.Service), last)})
	}
	return all
}

// before is the address of the comparison of a kind with the window before.
func before(w serve.Window, kind string) string {
	span := w.To.Sub(w.From)
	return address("flame", w, "kind", kind, "base-from", w.From.Add(-span).UTC().Format(time.RFC3339),
		"base-to", w.From.UTC().Format(time.RFC3339))
}

// refusals returns the numbers of refused profiles, each with the reason.
func refusals(r store.Refusals) (all []string) {
	for _, kind := range []struct {
		n   int64
		why string
	}{
		{r.Series, "of a service or series beyond the limit of a day"},
		{r.Labels, "with a name or labels that are too long or too many"},
		{r.Times, "from the future, or too old"},
		{r.Profiles, "too large, or no profile"},
		{r.Others, "because of the disk"},
	} {
		if kind.n > 0 {
			all = append(all, format.Plural(int(kind.n), "profile")+" "+kind.why)
		}
	}
	return all
}

func firstFinding(j *serve.Judgement) *rules.Finding {
	if j.Diagnosis == nil || len(j.Diagnosis.Findings) == 0 {
		return nil
	}
	return &j.Diagnosis.Findings[0]
}
