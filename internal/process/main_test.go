package probe

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/heapwright/heapwright/internal/probe/spawn"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if builds != "" {
		os.RemoveAll(builds)
	}
	os.Exit(code)
}

var builds string // directory of the built targets

// target returns the path of testdata/target, built.
func target(t testing.TB) string {
	t.Helper()
	path, err := buildTarget()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildTarget = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "probe")
	if err != nil {
		return "", err
	}
	builds = dir
	path := filepath.Join(dir, "target.exe")
	build := exec.Command("go", "build", "-o", path, "./testdata/target")
	build.Stderr = os.Stderr
	return path, build.Run()
})

func mustRun(t testing.TB, c Command) Outcome {
	t.Helper()
	out, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// withoutStarter makes Run start programs itself until the test ends, by the
// guard against a starter that does not know itself.
func withoutStarter(tb testing.TB) {
	was := os.Args[0]
	os.Args[0] = spawn.Name
	tb.Cleanup(func() { os.Args[0] = was })
}
