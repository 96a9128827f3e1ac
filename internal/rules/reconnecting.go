package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var reconnecting = &finding.Rule{
	Name:  "reconnecting",
	Title: "connections are opened again and again",
	Doc: `Finds CPU time, 15% or more, of clients that open connections: net/http's and database/sql's, by the call path.
Unless they are set otherwise, both keep only two idle connections for a host or database, and close the others after
each use. A connection whose body is not read to its end cannot be used again. It is wrong if every request goes to
another host.`,
	Remedy:  keepIdleHTTP,
	Example: keepIdleHTTPExample,
	Risk:    "Idle connections cost memory at both ends.",
	Find:    findReconnecting,
}

const (
	keepIdleHTTP = "Read each body to its end before Close, with io.Copy to io.Discard, also where the status is an " +
		"error: a connection whose body was not read is closed and opened anew. Let the pool keep as many idle connections " +
		"as requests run at once: MaxIdleConnsPerHost of the http.Transport is 2."
	keepIdleHTTPExample = "transport := http.DefaultTransport.(*http.Transport).Clone()\n" +
		"transport.MaxIdleConnsPerHost = 64"
	keepIdleSQL = "Let the pool keep as many idle connections as queries run at once: SetMaxIdleConns, which is 2, " +
		"and 0 keeps none. A ConnMaxLifetime of seconds has the same effect. Every other connection is closed " +
		"after its query and opened anew, with its login."
	keepIdleSQLExample = "db.SetMaxOpenConns(32)\ndb.SetMaxIdleConns(32)"

	// muchConnecting is the share of CPU time from which on opening connections is a finding.
	muchConnecting = 0.15
)

func findReconnecting(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	if e.CPU == nil {
		return nil
	}
	var http, sql float64
	queries, most := map[evidence.Frame]float64{}, evidence.Frame{}
	for _, stack := range e.CPU.Stacks {
		path, share := e.Frames(stack), e.Of(stack).CPU
		of := func(prefix string) int {
			return slices.IndexFunc(path, func(f evidence.Frame) bool { return strings.HasPrefix(f.Function, prefix) })
		}
		if of("net/http.(*Transport).dialConn") >= 0 {
			http += share
			continue
		}
		pool := max(of("database/sql.(*DB).openNewConnection"), exact(path, "database/sql.(*DB).conn"))
		if pool < 1 || !opens(path[pool-1].Function) {
			continue
		}
		sql += share
		if own := slices.IndexFunc(path[pool:], e.Owns); own >= 0 {
			at := path[pool+own]
			if queries[at] += share; queries[at] > queries[most] {
				most = at
			}
		}
	}
	var all []finding.Finding
	if http >= muchConnecting && http*e.Costs.Samples >= fewWorkSamples {
		f := connecting(http, "HTTP")
		for _, m := range e.Releases().Literals("net/http.Transport") {
			if !slices.Contains(m.Fields, "MaxIdleConnsPerHost") && !strings.HasSuffix(m.Place.File, "_test.go") {
				moveTo(&f, e, evidence.Frame{Function: m.Place.Function, File: m.Place.File, Line: m.Place.Line})
				break
			}
		}
		if s := requester(e); f.File == "" && s != nil {
			moveTo(&f, e, s.Frame)
		}
		all = append(all, f)
	}
	if sql >= muchConnecting && sql*e.Costs.Samples >= fewWorkSamples {
		f := connecting(sql, "database")
		f.Remedy, f.Example = keepIdleSQL, keepIdleSQLExample
		moveTo(&f, e, most)
		for _, a := range e.Source.Calls("database/sql.(*DB).SetMaxIdleConns") {
			moveTo(&f, e, evidence.Frame{Function: a.In(), File: a.File, Line: a.Line})
			break
		}
		all = append(all, f)
	}
	return all
}

// requester returns the line of the program whose requests allocate most; nil without one. The
// goroutine that opens a connection is another one.
func requester(e *evidence.Evidence) (most *evidence.Site) {
	for i := range e.Sites {
		s := &e.Sites[i]
		asks := slices.ContainsFunc(s.Below, func(c evidence.Callee) bool { return strings.HasPrefix(c.Function, "net/http.(*Client).") })
		if asks && s.Own && (most == nil || s.Recent.Bytes > most.Recent.Bytes) {
			most = s
		}
	}
	return most
}

// opens reports whether a function of a driver opens a connection.
func opens(function string) bool {
	return strings.Contains(function, "Connect") || strings.Contains(function, "Open")
}

// exact returns the index of the frame of a function, or -1.
func exact(path []evidence.Frame, function string) int {
	return slices.IndexFunc(path, func(f evidence.Frame) bool { return f.Function == function })
}

func connecting(share float64, kind string) finding.Finding {
	part := format.RoughShare(share)
	return finding.Finding{
		Title:      fmt.Sprintf("%s connections are opened again and again: %s of the CPU time", kind, part),
		CPU:        evidence.Range{Low: share / 2, High: share},
		Confidence: evidence.Medium,
		Exact:      true,
		Evidence:   []finding.Figure{{Name: "CPU time opening connections", Value: share, Unit: "fraction"}},
	}
}
