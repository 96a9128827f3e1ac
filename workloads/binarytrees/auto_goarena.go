//go:build goexperiment.arenas && !slabarena

package main

// auto is the variant that this build chose.
const auto = "goarena"
