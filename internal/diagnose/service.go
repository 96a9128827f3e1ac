package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/collect"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
)

// watchedProfiles is the number of heap and goroutine profiles that are taken of a live
// service. Ten points distinguish a trend from a cleanup that runs at least twice.
const watchedProfiles = 10

const (
	// leastMore and mostMore bound the time for which a service is watched once more. In less than the
	// one, little happens; more than the other, nobody waits.
	leastMore, mostMore = 15 * time.Second, time.Minute
)

// collect fetches a live service's profiles and reads them. Without a duration in the plan,
// it watches once more where that will probably decide whether memory or goroutines grow.
// Profiles of earlier collections in the folder stay there, and are not read.
func (in *inputs) collect(ctx context.Context, url string) error {
	p := in.plan.Service
	p.URL, p.MaxBytes = url, in.plan.MaxBytes
	p.Dir, p.Watch = cmp.Or(p.Dir, filepath.Join(in.scratch, "collected")), watchedProfiles
	p.Event = func(e collect.Event) { in.watching(p, e) }
	doc, err := in.watch(ctx, p)
	if err != nil {
		return err
	}
	docs := []*collect.Document{doc}
	if more := in.undecided(ctx, p, doc); more > 0 {
		if h := in.plan.Handler; h != nil {
			h.Handle(result.Note{Text: fmt.Sprintf("whether its memory or its goroutines grow is not decided yet: it is watched once more; "+
				"-duration %v prevents that", collect.DefaultDuration)})
		}
		p.Duration = min(max(more, leastMore), mostMore).Round(time.Second)
		again, err := in.watch(ctx, p)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			in.profiles.Note("it could not be watched once more: %v", err)
		} else {
			docs = append(docs, again)
		}
	}
	return in.addWatched(p.Dir, docs)
}

// watch collects a service's profiles. An error means that there are none.
func (in *inputs) watch(ctx context.Context, p collect.Plan) (*collect.Document, error) {
	doc, err := collect.Run(ctx, p)
	if ctx.Err() != nil && doc != nil {
		return nil, fmt.Errorf("%w; %d complete files are kept in %s", experiment.ErrInterrupted, len(doc.Files), p.Dir)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w; nothing was complete yet", experiment.ErrInterrupted)
	}
	if err != nil && (doc == nil || !errors.Is(err, collect.ErrIncomplete)) {
		return nil, err
	}
	if len(profilesOf(doc, p.Dir)) == 0 {
		return nil, noProfiles(p.URL, doc)
	}
	return doc, nil
}

// undecided returns how much longer a service should be watched, according to its heap and goroutine
// profiles alone; 0 is no longer. A plan with a duration is never too short.
func (in *inputs) undecided(ctx context.Context, p collect.Plan, doc *collect.Document) time.Duration {
	if p.Duration > 0 {
		return 0
	}
	all := evidence.NewProfiles(in.plan.MaxBytes)
	for _, name := range slices.Concat(doc.Paths(p.Dir, "heap"), doc.Paths(p.Dir, "goroutine")) {
		if all.AddFile(name) != nil {
			return 0 // it will be reported
		}
	}
	e, err := evidence.New(ctx, all, nil, evidence.Runtime{Heaps: liveHeaps(doc)})
	if err != nil {
		return 0
	}
	return e.Undecided()
}

// addWatched reads the files of collections, one after the other.
func (in *inputs) addWatched(dir string, docs []*collect.Document) error {
	var files []string
	heaps, goroutines := 0, 0
	for _, doc := range docs {
		files = append(files, profilesOf(doc, dir)...)
		heaps += len(doc.Paths(dir, "heap"))
		goroutines += len(doc.Paths(dir, "goroutine"))
	}
	if err := in.addProfiles(dir, files); err != nil {
		return err
	}
	in.profiles.Note("the service was watched for %s, with a CPU profile, %d heap profiles and %d goroutine profiles: growth that is slower, or a sweep that is rarer, does not show",
		format.Duration(docs[len(docs)-1].Finished.Sub(docs[0].Started)), heaps, goroutines)
	for _, doc := range docs {
		in.addDocument(dir, doc)
	}
	return nil
}

// profilesOf returns the profiles that a collection has and a diagnosis reads.
func profilesOf(doc *collect.Document, dir string) (files []string) {
	for _, kind := range []string{"heap", "allocs", "cpu", "goroutine", "goroutineleak"} {
		files = append(files, doc.Paths(dir, kind)...)
	}
	return files
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
