package leak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/release"
)

// ofClient reports whether goroutines begin in a function that serves one connection
// of an HTTP client.
func ofClient(function string) bool {
	for _, begin := range []string{"net/http.(*persistConn)", "net/http.(*Transport).", "net/http.(*http2ClientConn)",
		"net/http.(*http2clientStream)",
		"golang.org/x/net/http2.(*ClientConn)", "golang.org/x/net/http2.(*clientStream)",
		"net/http/internal/http2.(*ClientConn)", "net/http/internal/http2.(*clientStream)"} {
		if strings.HasPrefix(function, begin) {
			return true
		}
	}
	return false
}

const twoReadings = "Either the body of a response is not closed on every path, or a client, Transport or connection is made for each call and never closed. "

// client explains the goroutines of an HTTP client's connections. A connection whose
// response was read waits for the next one; one whose body is open waits in a select.
func (s *search) client(p *evidence.WaitingPlace, l *Leak) bool {
	idle, open := p.Waiters(evidence.Read), p.Waiters(evidence.Select)
	if strings.HasSuffix(p.Function, ".writeLoop") { // it always waits in a select: its reader knows more
		for i := range s.Waiting {
			if q := &s.Waiting[i]; strings.HasSuffix(q.Function, ".readLoop") && q.Library {
				idle, open = q.Waiters(evidence.Read), q.Waiters(evidence.Select)
			}
		}
	}
	l.Title = goroutines(p) + " of HTTP connections"
	l.Example = "resp, err := client.Get(url)\nif err != nil {\n\treturn err\n}\ndefer resp.Body.Close() // before the status is looked at"
	if s.source == nil {
		l.Remedy = twoReadings + "Close each body right after the error is checked, and share one client."
		l.Confidence = lower(l.Confidence, evidence.Medium)
		if idle > open {
			l.Confidence = evidence.Low // idle connections may be kept for the next requests
		}
		s.throughClient(l)
		return true
	}
	transports := slices.DeleteFunc(s.source.Literals("net/http.Transport"), func(m release.Made) bool {
		return m.Start || slices.Contains(m.Fields, "DisableKeepAlives")
	})
	bodies := slices.DeleteFunc(s.source.Unreleased(release.Response),
		func(m release.Made) bool { return len(m.Missed) == 0 && !m.Dropped })
	slices.SortStableFunc(bodies, func(a, b release.Made) int {
		return cmp.Compare(s.weights[key{b.File, b.Line}], s.weights[key{a.File, a.Line}])
	})
	switch {
	case idle > open && len(transports) > 0:
		s.ofTransports(transports, l)
	case len(bodies) > 0 && open > 0:
		s.ofBodies(bodies, l)
	case idle > open:
		return p.Leaked > 0 // a pool that fills
	default:
		l.Remedy = twoReadings + "No path of the program's source shows which. Close each body right after " +
			"the error is checked, where it is read, and share one client."
		l.Confidence = lower(l.Confidence, evidence.Medium)
		s.throughClient(l)
	}
	return true
}

func (s *search) ofBodies(bodies []release.Made, l *Leak) {
	m := bodies[0]
	s.lead(l, m)
	l.Title = fmt.Sprintf("%s of HTTP connections: the body of %s is not closed", goroutines(l.Places[0]), m.Text)
	how := "What " + m.Text + " returns is dropped with its body"
	if len(m.Missed) > 0 {
		how = exits(m.Missed) + " without resp.Body.Close()"
	}
	l.Remedy = how + ", so the connection, its two goroutines and its descriptor stay. defer resp.Body.Close() " +
		"right after the error is checked, before the status is looked at."
	if more := bodies[1:]; len(more) > 0 {
		var all []string
		for _, o := range more {
			all = append(all, at(o.Place))
		}
		l.Remedy += " The same may hold for " + several(all) + "."
	}
}

func (s *search) ofTransports(transports []release.Made, l *Leak) {
	slices.SortStableFunc(transports, func(a, b release.Made) int {
		return cmp.Compare(s.weights[key{b.File, b.Line}], s.weights[key{a.File, a.Line}])
	})
	m := transports[0]
	s.lead(l, m)
	l.Confidence = lower(l.Confidence, evidence.Medium)
	if len(transports) == 1 && l.Places[0].Now() >= filled/2 { // a single pool of idle connections is seldom so large
		l.Confidence = confidence(l.Places[0])
	}
	l.Title += ": a Transport is made for each client"
	l.Remedy = fmt.Sprintf("The connections are idle: their responses were read and closed. A Transport made at %s keeps its idle connections to itself, and nobody uses them again. Make one Transport and one client and share them, or call CloseIdleConnections when it is let go.", at(m.Place))
	l.Example = "var client = &http.Client{Transport: transport} // one for all calls"
}

// throughClient leads to the line that requests pass, by the heap profile.
func (s *search) throughClient(l *Leak) {
	requests := func(function string) bool {
		return strings.HasPrefix(function, "net/http.(*Client)") ||
			strings.HasPrefix(function, "net/http.(*Transport)") || strings.HasPrefix(function, "net/http.NewRequest")
	}
	if site := s.siteBelow(requests); site != nil {
		l.At, l.Path = site.Frame, site.Path
	}
}
