package diagnose

import (
	"context"
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules"
)

// Profiles diagnoses profiles that are in memory, of a program whose source is not at
// hand. It takes p over, as evidence.New does.
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
