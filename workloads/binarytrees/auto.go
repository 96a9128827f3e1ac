//go:build !goexperiment.arenas && !slabarena

package main

// auto is the variant that this build chose; the files of others choose their
// own.
const auto = "heap"
