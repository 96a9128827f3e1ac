// Package scrape takes profiles and figures of running processes on a schedule and hands
// them on.
//
// The stance: an answer of a target is foreign. It is bounded, it leads to no other host,
// and a target that is down, slow or answers nonsense is a state of that target and
// nothing else. Differences are computed here, never by ?seconds=, which corrupts the
// in-use values of heap profiles (golang/go#57765).
package scrape

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Target is one process to scrape.
type Target struct {
	URL     string // the root, below which /debug/pprof is
	Service string
	Version string            // "" asks the process
	Labels  map[string]string // further ones
	Limit   int64             // the limit of memory in bytes; 0 asks the process
}

// ParseTarget reads "URL" or "SERVICE=URL". Without a service it is named for the host.
func ParseTarget(s string) (Target, error) {
	service, address, ok := strings.Cut(s, "=")
	if !ok || strings.Contains(service, "/") {
		service, address = "", s
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		s = s[strings.LastIndexByte(s, '@')+1:] // a password may be before it
		return Target{}, fmt.Errorf("target %q: %w", s, errors.Unwrap(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Target{}, fmt.Errorf("target %q: write it as http://HOST:PORT or NAME=http://HOST:PORT", s)
	}
	if u.User != nil {
		return Target{}, fmt.Errorf("target %q: no credentials in a URL: give a token file", u.Redacted())
	}
	if service == "" {
		service = u.Hostname()
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/debug/pprof")
	u.RawQuery, u.Fragment = "", ""
	return Target{URL: u.String(), Service: service}, nil
}

// ParseTargets reads targets, each as ParseTarget does. It refuses one that is named
// twice.
func ParseTargets(list []string) ([]Target, error) {
	var all []Target
	seen := map[string]bool{}
	for _, s := range list {
		t, err := ParseTarget(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		if seen[t.URL] {
			return nil, fmt.Errorf("target %s is named twice", t.URL)
		}
		seen[t.URL] = true
		all = append(all, t)
	}
	return all, nil
}

// instance names the process within its service.
func (t *Target) instance() string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return t.URL
	}
	return u.Host
}

// State is how a target does.
type State string

// States.
const (
	New  State = "new"  // not asked yet
	Up   State = "up"   // the last answer was kept
	Down State = "down" // it does not answer
	Slow State = "slow" // it answers too late
	Odd  State = "odd"  // it answers something else
	Lost State = "lost" // no place on the disk for the last answer
)

// Status is the state of a target, as it was at a time.
type Status struct {
	Target
	State State
	Since time.Time // the beginning of the state
	Why   string    // "" if it is up or new
	Kept  int       // answers that were kept
	Last  time.Time // the last of these
}
