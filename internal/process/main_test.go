package process

import (
	"context"
	"os"
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
	"github.com/heapwright/heapwright/internal/process/spawn"
)

func TestMain(m *testing.M) { processtest.Main(m) }

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
