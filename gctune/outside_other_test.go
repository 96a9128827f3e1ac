//go:build !linux

package gctune

func mapOutside(n int) []byte { return make([]byte, n) }
