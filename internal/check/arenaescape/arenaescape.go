// Package arenaescape finds memory of an arena that outlives the arena.
package arenaescape

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/requests"
	"github.com/heapwright/heapwright/internal/lifetime"
)

const doc = `report memory of an arena that outlives it

Memory of an arena must not outlive the function that ends the arena.

	defer a.Free()
	return arena.String(a, name)

The check reports memory that is returned under a deferred Free, and memory that a
function keeps in a package-level variable or behind a parameter, sends on a channel,
or leaves to a goroutine, if it ends the arena on every path from there. A helper that
keeps the memory is reported at its call. The check is silent where the function waits
for other goroutines, or gives the place another value. Copies made by Clone or
Promote may be kept.

A gRPC server with the options of arenagrpc.DecodeRequests decodes requests into arenas,
which end with the calls.

	s.books[req.Name] = req.Book // keep arenapb.Promote(req.Book)

The check reports unary handlers that keep memory of their request: in what the receiver
or a package-level variable refers to, on a channel, or in a goroutine. The request's
strings and bytes count only if ServerOptions.Text puts them into the arena; a response
may hold anything. A handler of another package is reported where it is registered. The
check is silent where the options of the server are not known, about calls by way of
interfaces and function values, and where the function takes something out of the same
place afterwards.`

// Analyzer finds memory of an arena that outlives the arena.
var Analyzer = &analysis.Analyzer{
	Name:     "arenaescape",
	Doc:      doc,
	Requires: []*analysis.Analyzer{lifetime.Analyzer, requests.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		lifetime.Report(pass, lifetime.Escape)
		requests.Report(pass)
		return nil, nil
	},
}
