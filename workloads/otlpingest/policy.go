package main

import (
	"errors"
	"strings"
)

// The policy judges records by their values, so that every variant has the same
// one whatever types it decodes into.

// errID refuses a whole request, because the sender does not speak OTLP.
var errID = errors.New("an ID has a wrong length: a trace ID has 16 bytes, a span ID 8")

// checkIDs reports whether a record's IDs have the length that OTLP demands. An
// empty one is absent.
func checkIDs(trace, span []byte) error {
	if len(trace) != 0 && len(trace) != 16 || len(span) != 0 && len(span) != 8 {
		return errID
	}
	return nil
}

// zero reports whether an ID is absent or all zero, which is invalid.
func zero(id []byte) bool {
	for _, b := range id {
		if b != 0 {
			return false
		}
	}
	return true
}

// judgeSpan rejects spans without identity, name or time, and filters out those
// of health checks.
func judgeSpan(trace, span []byte, name string, start, end uint64, path string) verdict {
	switch {
	case zero(trace), zero(span), name == "", start == 0, end < start:
		return reject
	case path == "/healthz" || path == "/readyz":
		return filter
	}
	return accept
}

// judgePoint rejects points without time, and filters out the metrics of runtimes.
func judgePoint(metric string, time uint64) verdict {
	switch {
	case metric == "" || time == 0:
		return reject
	case strings.HasPrefix(metric, "process.runtime."):
		return filter
	}
	return accept
}

// severityInfo is the lowest severity that is wanted
// (opentelemetry/proto/logs/v1/logs.proto).
const severityInfo = 9

// judgeLog rejects records without time, and filters out those for debugging.
func judgeLog(time, observed uint64, severity int32) verdict {
	switch {
	case time == 0 && observed == 0:
		return reject
	case severity != 0 && severity < severityInfo:
		return filter
	}
	return accept
}

// Keys of attributes that the policy reads.
const (
	serviceName = "service.name"
	urlPath     = "url.path"
)

const unnamed = "unknown_service"
