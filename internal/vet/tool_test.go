package vet_test

import (
	"os"
	"testing"

	"github.com/heapwright/heapwright/internal/vet/tool"
)

// The go command runs the test binary as its vet tool.
func TestMain(m *testing.M) {
	if args := os.Args[1:]; tool.Is(args) {
		tool.Main(args)
	}
	os.Exit(m.Run())
}
