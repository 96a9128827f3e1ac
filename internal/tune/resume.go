package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// Load reads what a tuning has written, finished or not.
func Load(file string) (*Document, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("nothing to go on from: %w; run without -resume", err)
	}
	doc := &Document{}
	if err := json.Unmarshal(data, doc); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w; run without -resume", file, err)
	}
	if doc.Schema != Schema || doc.Diagnosis == nil {
		return nil, fmt.Errorf("%s is no tuning of this version that could go on; run without -resume", file)
	}
	return doc, nil
}

// diagnose begins the document with a diagnosis, or with that of the tuning that
// goes on.
func (p Plan) diagnose(ctx context.Context, budget time.Duration) (*Document, error) {
	doc := &Document{Schema: Schema, Made: time.Now().UTC(), Target: p.Target.String()}
	if p.Before != nil {
		doc.Made, doc.Diagnosis, doc.Own = p.Before.Made, p.Before.Diagnosis, p.Before.Own
		doc.Notes = append(doubts(doc.Diagnosis), "it went on from an earlier run by -resume; the flame graphs are in diagnosis.html")
		return doc, nil
	}
	d, err := diagnose.Run(ctx, diagnose.Plan{Target: p.Target, Dir: p.Dir, Budget: budget, Handler: p.Handler})
	if errors.Is(err, experiment.ErrNoProfile) { // modes can be compared all the same
		d, err = (&diagnose.Evidence{Notes: []string{err.Error()}}).Document(nil), nil
		d.Sources = []diagnose.Source{}
	}
	if d == nil {
		return nil, err
	}
	doc.Diagnosis, doc.Own, doc.Notes = d, ownWork(d), doubts(d)
	doc.Answer = "It ended before anything was tried."
	if p.Save != nil && err == nil {
		err = p.Save(doc)
	}
	return doc, err
}

// doubts are a diagnosis's notes where they have to say why it knows so little.
func doubts(d *diagnose.Document) []string {
	if d.CPU != nil {
		return nil
	}
	return slices.Clone(d.Notes)
}

// begun returns the experiment that the tuning to go on with left in a folder,
// with the runs of its whole blocks; nil where it left none of these modes. An
// older experiment may lie there too.
func (p Plan) begun(dir string, modes []string) (*result.Document, []sample.Run) {
	if p.Before == nil {
		return nil, nil
	}
	doc, runs, err := experiment.Resume(dir)
	if err != nil || doc.Started.Before(p.Before.Made) {
		return nil, nil
	}
	same := slices.EqualFunc(doc.Modes, modes, func(m result.Mode, name string) bool { return m.Name == name })
	if !same {
		return nil, nil
	}
	return doc, runs
}
