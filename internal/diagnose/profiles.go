package diagnose

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// Profiles diagnoses profiles in memory, without the source of the program. It owns p
// from then on, as evidence.New does.
func Profiles(ctx context.Context, target string, p *evidence.Profiles, rt evidence.Runtime) (*Document, error) {
	e, err := evidence.New(ctx, p, nil, rt)
	if err != nil {
		return nil, err
	}
	findings, silent := rules.Find(e)
	doc := newDocument(e, p.Sources, findings)
	doc.Target, doc.Notes = target, slices.Concat(p.Notes, e.Notes, silent)
	return doc, ctx.Err()
}
