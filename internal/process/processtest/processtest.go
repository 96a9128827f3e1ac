// Package processtest builds a program for the tests of runs: what it does follows from its
// arguments.
package processtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var dir string // the folder of the program; "" until it is built

// Main runs the tests and removes the program.
func Main(m *testing.M) {
	code := m.Run()
	if dir != "" {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// Target returns the path of the program.
func Target(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var build = sync.OnceValues(func() (path string, err error) {
	if dir, err = os.MkdirTemp("", "process"); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "target.exe")
	build := exec.Command("go", "build", "-o", path,
		"github.com/heapwright/heapwright/internal/process/testdata/target")
	build.Stderr = os.Stderr
	return path, build.Run()
})
