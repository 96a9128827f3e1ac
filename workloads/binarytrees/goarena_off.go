//go:build !goexperiment.arenas

package main

// tagged has no variant in this build.
var tagged []variant
