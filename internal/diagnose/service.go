package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
)

// watchedProfiles is the number of heap and goroutine profiles that are taken of a live
// service. Ten points distinguish a trend from a cleanup that runs at least twice.
const watchedProfiles = 10

// collect fetches a live service's profiles and reads them. Missing profiles are named in
// the notes. Profiles of earlier collections in the folder stay there, and are not read.
func (in *inputs) collect(ctx context.Context, url string) error {
	p := in.plan.Service
	p.URL, p.MaxBytes = url, in.plan.MaxBytes
	p.Dir, p.Watch = cmp.Or(p.Dir, filepath.Join(in.scratch, "collected")), watchedProfiles
	p.Event = func(e collect.Event) { in.watching(p, e) }
	doc, err := collect.Run(ctx, p)
	if ctx.Err() != nil && doc != nil {
		return fmt.Errorf("%w; %d complete files are kept in %s", experiment.ErrInterrupted, len(doc.Files), p.Dir)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w; nothing was complete yet", experiment.ErrInterrupted)
	}
	if err != nil && (doc == nil || !errors.Is(err, collect.ErrIncomplete)) {
		return err
	}
	heaps := doc.Paths(p.Dir, "heap")
	files := slices.Concat(heaps, doc.Paths(p.Dir, "allocs"), doc.Paths(p.Dir, "cpu"), doc.Paths(p.Dir, "goroutine"), doc.Paths(p.Dir, "goroutineleak"))
	if len(files) == 0 {
		return noProfiles(url, doc)
	}
	if err := in.addProfiles(p.Dir, files); err != nil {
		return err
	}
	in.profiles.Note("the service was watched for %s, with a CPU profile, %d heap profiles and %d goroutine profiles: growth that is slower, or a sweep that is rarer, does not show",
		format.Duration(doc.Finished.Sub(doc.Started)), len(heaps), len(doc.Paths(p.Dir, "goroutine")))
	in.addDocument(p.Dir, doc)
	return nil
}

// noProfiles returns the error for a service that serves no profiles, with its answer to
// the request for the heap profile.
func noProfiles(url string, doc *collect.Document) error {
	const hint = "does the service import net/http/pprof"
	for _, m := range doc.Missing {
		switch {
		case m.Type != "heap":
		case strings.Contains(m.Reason, hint):
			return fmt.Errorf("%s serves no profiles: %s", url, m.Reason)
		default:
			return fmt.Errorf("%s serves no profiles: %s; %s there?", url, m.Reason, hint)
		}
	}
	return fmt.Errorf("%s serves no profiles; %s there?", url, hint)
}

// watching reports the progress of recording a service to the handler.
func (in *inputs) watching(p collect.Plan, e collect.Event) {
	h := in.plan.Handler
	switch {
	case h == nil:
	case e.File == "":
		if e.Recording > 0 && e.Elapsed == 0 {
			h.Handle(result.Note{Text: fmt.Sprintf("watching %s for %v; its profiles are kept in %s", p.URL, e.Recording, p.Dir)})
		}
		h.Handle(e.Progress())
	}
}
