package tune

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/target"
)

// read reads the document of a tuning.
func read(file string) (*Document, error) {
	doc := &Document{}
	if err := experiment.ReadPlan(file, doc); err != nil {
		return nil, err
	}
	if doc.Schema != Schema || doc.Diagnosis == nil {
		return nil, fmt.Errorf("%s is not a tuning that this version can resume; run without -resume", file)
	}
	return doc, nil
}

// diagnose returns a document with a new diagnosis, or with the diagnosis of the tuning
// that is continued.
func (p Plan) diagnose(ctx context.Context, budget time.Duration, handler result.Handler) (*Document, error) {
	asked := p.NewDocument()
	doc := &Document{Schema: Schema, Tool: asked.Tool, Made: time.Now().UTC(), Command: asked.Command, Dir: asked.Dir, Target: p.Target.String()}
	var err error
	if doc.Plan, err = p.record(); err != nil {
		return nil, err
	}
	if p.Before != nil {
		doc.Made, doc.Diagnosis, doc.Own = p.Before.Made, p.Before.Diagnosis, p.Before.Own
		doc.Notes = append(doubts(doc.Diagnosis),
			"this run continues an earlier one (-resume); its flame graphs are in diagnosis.html")
		return doc, nil
	}
	pricing := p.pricing()
	d, err := diagnose.Run(ctx, diagnose.Plan{
		Target: p.Target, Dir: p.Dir, Modules: p.Modules, Production: p.Production, Budget: budget,
		Price: pricing > 0, Pricing: pricing, Handler: handler,
	})
	if errors.Is(err, target.ErrNoProfile) { // modes can be compared without a profile
		d, err = diagnose.Unknown(err), nil
	}
	if d == nil {
		return nil, err
	}
	doc.Diagnosis, doc.Own, doc.Notes = d, ownWork(d), doubts(d)
	if unlike := d.Unlike(); unlike != "" && d.CPU != nil { // without CPU, doubts has it
		doc.Notes = append(doc.Notes, unlike)
	}
	doc.Answer = "The run ended before a mode was tried."
	if p.Save != nil && err == nil {
		err = p.Save(doc)
	}
	return doc, err
}

// doubts returns the notes of a diagnosis without figures for CPU, because they say why
// these are missing.
func doubts(d *diagnose.Document) []string {
	if d.CPU != nil {
		return nil
	}
	return slices.Clone(d.Notes)
}

// continues reports whether a comparison of the continued tuning gets more runs. It does
// if it was interrupted, or if it is the last one and the user gave more time. More runs
// of an earlier comparison could change the candidates of the later ones.
func (p Plan) continues(doc *result.Document, round int) bool {
	switch doc.Stopped {
	case "", experiment.Interrupted:
		return true
	case experiment.Decided:
		return false
	}
	return p.Longer && round == max(0, len(p.Before.Comparisons())-1)
}

// longerFirst reports whether the user gave more time to a tuning that ended with its
// first comparison. That comparison then gets all the time.
func (p Plan) longerFirst() bool { return p.Longer && p.Before != nil && p.Before.Final == nil }
