package tune

import (
	"context"
	"strings"

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// library reports whether the benchmarks are in a module without a main package. Such a
// module can change its code, but its users decide about modes.
func (p Plan) library(ctx context.Context) bool {
	if p.Target.Facts().Builds != inject.Test {
		return false
	}
	out, err := subprocess.Output(ctx, p.Dir, "go", "list", "-e", "-f", "{{.Name}}", "./...")
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
