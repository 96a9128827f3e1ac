package tune

import (
	"context"
	"os/exec"
	"strings"

	"github.com/heapwright/heapwright/internal/probe"
)

// library reports whether the benchmarks are of a module without a program. Its
// users choose how they run it; it can change its code alone.
func (p Plan) library(ctx context.Context) bool {
	if p.Target.Facts().Builds != probe.Test {
		return false
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-f", "{{.Name}}", "./...")
	cmd.Dir = p.Dir
	out, err := cmd.Output()
	if err != nil || len(out) == 0 {
		return false // nothing is known
	}
	for name := range strings.Lines(string(out)) {
		if strings.TrimSpace(name) == "main" {
			return false
		}
	}
	return true
}
