//go:build !goexperiment.arenas

package main

// auto is the variant that this build chose; goarena.go chooses its own.
const auto = "heap"
