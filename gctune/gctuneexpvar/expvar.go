// Package gctuneexpvar publishes gctune's figures as an expvar. It stands apart from
// gctune because expvar brings net/http into every program that imports it and
// serves on its default mux.
package gctuneexpvar

import (
	"expvar"

	"github.com/heapwright/heapwright/gctune"
)

// Publish makes gctune.Stats an expvar of the given name, such as "gctune".
// Like expvar.Publish it may be called once for a name.
func Publish(name string) {
	expvar.Publish(name, expvar.Func(func() any { return gctune.Stats() }))
}
