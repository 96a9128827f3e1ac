//go:build !linux

package process

func noexec(string) bool { return false }
