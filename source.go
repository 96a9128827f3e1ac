// Package heapwright holds the source of its public packages that a comparison
// adds to programs which do not depend on this module. No program imports it
// but this project's own.
//
// It stands at the root because a package can embed only what lies beneath it.
package heapwright

import "embed"

// Source has the files of gctune and gctune/auto, tests included.
//
//go:embed gctune/*.go gctune/auto/*.go
var Source embed.FS
