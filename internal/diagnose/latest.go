package diagnose

import (
	"context"
	"time"

	"github.com/heapwright/heapwright/internal/rules"
	"github.com/heapwright/heapwright/internal/source"
)

// latestTime is the time limit for the question which versions of dependencies are the
// newest. They are only a hint. Offline, the findings are the same without them.
const latestTime = 5 * time.Second

// addLatest adds to findings about dependencies whether there is a newer version.
func addLatest(ctx context.Context, x *source.Index, findings []rules.Finding) {
	var paths []string
	eachLine(findings, func(l *rules.LibraryLine) {
		if l.Version != "" {
			paths = append(paths, l.Module)
		}
	})
	ctx, cancel := context.WithTimeout(ctx, latestTime)
	defer cancel()
	latest := x.Latest(ctx, paths)
	eachLine(findings, func(l *rules.LibraryLine) { l.Latest = latest[l.Module] })
}

func eachLine(findings []rules.Finding, do func(*rules.LibraryLine)) {
	for i := range findings {
		for j := range findings[i].Library {
			do(&findings[i].Library[j])
		}
		if c := findings[i].Callee; c != nil {
			do(c)
		}
		eachLine(findings[i].Others, do)
	}
}
