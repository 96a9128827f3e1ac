//go:build race

package gctune

const raceEnabled = true
