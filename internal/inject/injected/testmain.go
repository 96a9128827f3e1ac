package injected

import (
	heapwrightOS "os"
	heapwrightTesting "testing"
)

// TestMain runs the tests as go test does without one, and writes at the very end.
func TestMain(m *heapwrightTesting.M) {
	code := m.Run()
	heapwrightProbeEnd()
	heapwrightOS.Exit(code)
}
