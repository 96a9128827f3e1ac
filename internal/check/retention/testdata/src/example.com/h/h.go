// Package h holds the helpers of package a.
package h

import (
	"io"
	"os"
	"strings"
)

func Read(name string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}

func All(r io.Reader) ([]byte, error) { return io.ReadAll(r) }

func First(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

func Prefix(b []byte) []byte {
	if len(b) < 16 {
		return nil
	}
	return b[:16]
}

func Copy(s string) string { return strings.Clone(s[:8]) }
