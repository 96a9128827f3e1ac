package serve

import (
	"context"
	"time"

	"github.com/heapwright/heapwright/internal/serve/versus"
)

// Regression is a function that costs more in a newer version than in the one that runs
// beside it.
type Regression struct {
	*SideBySide
	Column string // "cpu" or "alloc_space"
	Change *versus.Change
}

// regressions returns the functions that cost more in the newest version of a service.
func (s *Server) regressions(ctx context.Context, service string, from, to time.Time) (all []Regression, err error) {
	c, err := s.SideBySide(ctx, Window{Service: service, From: from, To: to}, "")
	if err != nil {
		return nil, err
	}
	for _, compared := range []*versus.Comparison{c.CPU, c.Bytes} {
		if compared == nil {
			continue
		}
		for _, change := range compared.Changes {
			if change.Confirmed() {
				all = append(all, Regression{SideBySide: c, Column: compared.Column, Change: change})
			}
		}
	}
	return all, nil
}
