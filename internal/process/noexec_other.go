//go:build !linux

package probe

func noexec(string) bool { return false }
