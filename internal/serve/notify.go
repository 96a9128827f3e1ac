package serve

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/serve/alert"
	"github.com/heapwright/heapwright/internal/store"
)

// Names of alerts.
const (
	nearLimit = "HeapwrightNearMemoryLimit"
	worse     = "HeapwrightRegression"
)

// nearFor is how long a process counts as near its limit after the last profile that was
// taken because of it.
const nearFor = 5 * time.Minute

// keep stores a scraped profile, and raises the alarm of a process near its limit.
func (s *Server) keep(ctx context.Context, e store.Entry, data []byte) (store.Entry, error) {
	kept, err := s.store.Append(ctx, e, data)
	if err == nil && kept.Evidence && kept.Kind == store.Heap {
		s.alerts.Raise(alert.Alert{
			Labels: s.opts.labels(map[string]string{alert.Name: nearLimit, "severity": "critical", "service": kept.Service,
				"instance": kept.Labels["instance"]}),
			Annotations: map[string]string{
				"summary":     kept.Service + " is near its memory limit",
				"description": "A heap profile and a goroutine profile were taken and are kept.",
			},
			StartsAt:     kept.Time,
			GeneratorURL: s.page("service", kept.Service, kept.Time.Add(-time.Hour), kept.Time.Add(time.Minute), nil),
		}, nearFor)
	}
	return kept, err
}

// confirm raises alarms for regressions that two judgements in a row have found.
func (s *Server) confirm(found []Regression) {
	var all []alert.Alert
	now := map[string]bool{}
	for _, r := range found {
		id := fmt.Sprintf("%q %q %q %q", r.Service, r.After, r.Column, r.Change.Function)
		if now[id] = true; !s.worse[id] {
			continue
		}
		what := "CPU time"
		if r.Column != "cpu" {
			what = "allocated bytes"
		}
		all = append(all, alert.Alert{
			Labels: s.opts.labels(map[string]string{alert.Name: worse, "severity": "warning", "service": r.Service,
				"version": r.After, "baseline": r.Before, "function": r.Change.Function, "metric": r.Column}),
			Annotations: map[string]string{
				"summary": fmt.Sprintf("%s %s: %s takes more %s than in %s",
					r.Service, r.After, r.Change.Function, what, r.Before),
				"description": fmt.Sprintf("%s %s of the service's %s, at %s:%d.", format.Change(1+r.Change.Effect()),
					format.Interval(1+r.Change.Low, 1+r.Change.High), what, r.Change.File, r.Change.Line),
			},
			GeneratorURL: s.page("versions", r.Service, r.From.Add(-WarmUp), r.To,
				url.Values{"version": {r.After}, "base-version": {r.Before}}),
		})
	}
	s.worse = now
	s.alerts.Hold(worse, all)
}

// page is the address of a page that shows the same tomorrow.
func (s *Server) page(what, service string, from, to time.Time, more url.Values) string {
	query := url.Values{"from": {from.UTC().Format(time.RFC3339)}, "to": {to.UTC().Format(time.RFC3339)}}
	maps.Copy(query, more)
	return s.opts.Alerts.Page + "/" + what + "/" + url.PathEscape(service) + "?" + query.Encode()
}
