// Package alert sends alarms to webhooks, as Prometheus sends them to Alertmanager: a POST
// of all that hold, again and again, and of each one once more when it has ended.
//
// The stance: a message is the state at this time and no queue of events, so a receiver
// that was away misses nothing that still holds. Secrets in addresses are in no message.
package alert

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Alert is one alert of Alertmanager's API v2
// (github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml). Its labels are its
// identity.
type Alert struct {
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations,omitempty"`
	StartsAt     time.Time         `json:"startsAt"`
	EndsAt       time.Time         `json:"endsAt"`
	GeneratorURL string            `json:"generatorURL,omitempty"`
}

// Name is the label with the kind of an alert.
const Name = "alertname"

func (a *Alert) id() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(a.Labels)) {
		fmt.Fprintf(&b, "%q=%q,", name, a.Labels[name])
	}
	return b.String()
}

// Options of a Sender. The zero value sends nothing.
type Options struct {
	// URLs are the addresses of Alertmanagers, or of other receivers with a path.
	URLs      []string
	Token     string // the bearer token for all of them
	Repeat    time.Duration
	Log       *slog.Logger      // nil is slog.Default
	Transport http.RoundTripper // nil is http.DefaultTransport
}

// Sender holds alerts and sends them. It serves many goroutines.
type Sender struct {
	opts   Options
	client *http.Client

	mu      sync.Mutex
	alerts  map[string]*state
	changed []chan struct{} // one for each receiver
}

// state is an alert that holds, or whose end some receiver does not know.
type state struct {
	Alert
	ended   time.Time // zero while it holds
	expires time.Time // it ends by itself then; zero for an alert that is ended by Hold
	knows   []bool    // receivers that know its end
}

// mostAlerts bounds the alerts in memory. A fleet in which more hold has one cause.
const mostAlerts = 1000

// New returns a sender. A URL without a path is an Alertmanager's.
func New(opts Options) *Sender {
	opts.Repeat = cmp.Or(opts.Repeat, time.Minute)
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	s := &Sender{opts: opts, alerts: map[string]*state{},
		client: &http.Client{Transport: opts.Transport, Timeout: 10 * time.Second, CheckRedirect: stay}}
	for range opts.URLs {
		s.changed = append(s.changed, make(chan struct{}, 1))
	}
	return s
}

// stay follows no redirect: the alert and the token are for one receiver.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// ParseURL checks the address of a receiver and completes it.
func ParseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("not the address of a webhook; write it as http://alertmanager:9093")
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/api/v2/alerts"
	}
	return u.String(), nil
}

// Raise begins an alert, or continues it, until nobody has raised it for a time.
func (s *Sender) Raise(a Alert, hold time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept := s.begin(a); kept != nil {
		kept.expires = time.Now().Add(hold)
	}
}

// Hold makes these the only alerts of a name that hold; it ends the others.
func (s *Sender) Hold(name string, all []Alert) {
	s.mu.Lock()
	defer s.mu.Unlock()
	holds := map[string]bool{}
	for _, a := range all {
		holds[a.id()] = true
		s.begin(a)
	}
	for id, kept := range s.alerts {
		if kept.Labels[Name] == name && !holds[id] && kept.ended.IsZero() {
			s.end(kept, time.Now())
		}
	}
}

func (s *Sender) begin(a Alert) *state {
	id := a.id()
	kept := s.alerts[id]
	switch {
	case kept != nil && kept.ended.IsZero():
		kept.Annotations = a.Annotations
		return kept
	case kept == nil && len(s.alerts) >= mostAlerts || len(s.opts.URLs) == 0:
		return nil
	}
	if a.StartsAt.IsZero() {
		a.StartsAt = time.Now()
	}
	kept = &state{Alert: a, knows: make([]bool, len(s.opts.URLs))}
	s.alerts[id] = kept
	s.wake()
	return kept
}

func (s *Sender) end(kept *state, at time.Time) {
	kept.ended = at
	s.wake()
}

func (s *Sender) wake() {
	for _, c := range s.changed {
		select {
		case c <- struct{}{}:
		default: // it will wake anyway
		}
	}
}
