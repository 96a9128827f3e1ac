package gctune

import "embed"

// Source holds the source files of this package and of gctune/auto, tests
// included, for tools that build gctune into programs whose modules do not
// require it. The linker leaves it out of programs that do not use it.
//
//go:embed *.go auto/*.go
var Source embed.FS
