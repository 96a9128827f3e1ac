package serve

import (
	"context"
	"errors"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve/versus"
	"github.com/heapwright/heapwright/internal/store"
)

// PGO is a CPU profile for go build -pgo.
type PGO struct {
	Profile  *profile.Profile
	Profiles int       // how many were added up
	Newest   time.Time // the time of the newest one
	Version  string    // the newest version in the window, "" if it is not known
	Matches  float64   // the share of CPU time that is in functions seen in that version
}

// PGO adds the CPU profiles of all versions in a window up. The compiler needs no profile
// of exactly the version that it builds.
func (s *Server) PGO(ctx context.Context, w Window) (*PGO, error) {
	entries, err := s.entries(ctx, &w)
	if err != nil {
		return nil, err
	}
	p := &PGO{Matches: 1}
	if p.Profile, err = s.store.Merge(ctx, w.query(store.CPU)); err != nil {
		return nil, err
	}
	for i := range entries {
		if e := &entries[i]; e.Kind == store.CPU {
			p.Profiles++
			p.Newest = later(p.Newest, e.Time)
		}
	}
	versions := usageOf(entries).Versions
	if len(versions) == 0 {
		return p, nil
	}
	p.Version = versions[len(versions)-1]
	if len(versions) == 1 {
		return p, nil
	}
	newest := w
	newest.Version = p.Version
	var seen []*profile.Profile
	for _, kind := range []string{store.CPU, store.Heap, store.Goroutine} {
		one, err := s.store.Merge(ctx, newest.query(kind))
		if err == nil {
			seen = append(seen, one)
		} else if !errors.Is(err, store.ErrNone) {
			return nil, err
		}
	}
	p.Matches = versus.Matching(p.Profile, "cpu", seen)
	return p, nil
}
