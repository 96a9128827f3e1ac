package querier

import (
	"context"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// selection is a column of the profiles in a time that a selector matches.
type selection struct {
	profileType
	from, to time.Time
	selector selector
}

func (q *Querier) selection(typeID, label string, start, end int64) (s selection, err error) {
	if s.profileType, err = parseType(typeID); err != nil {
		return s, err
	}
	if _, s.selector, err = parseSelector(label); err != nil {
		return s, err
	}
	s.from, s.to, err = q.window(start, end)
	return s, err
}

// query returns the store's query for one service.
func (s *selection) query(service string) store.Query {
	id := s.message()
	return store.Query{Service: service, Kind: s.kind, From: s.from, To: s.to,
		Match: func(kind string, labels store.Labels) bool {
			one := stream{&store.Series{Service: service, Kind: kind, Labels: labels}, id}
			return s.selector.matches(one.label)
		}}
}

// services returns the services that the selector does not rule out.
func (q *Querier) services(ctx context.Context, s *selection) ([]string, error) {
	all, err := q.store.Services(ctx, s.from, s.to)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(service string) bool {
		for i := range s.selector {
			m := &s.selector[i]
			if (m.name == "service_name" || m.name == "__service_name__") && !m.matches(service) {
				return true
			}
		}
		return false
	}), nil
}

// entries calls do for each entry of the selection that has its column, by service and in
// the order of time.
func (q *Querier) entries(ctx context.Context, s *selection, do func(e *store.Entry, v int64) error) error {
	services, err := q.services(ctx, s)
	if err != nil {
		return err
	}
	for _, service := range services {
		entries, err := q.store.Select(ctx, s.query(service))
		if err != nil {
			return err
		}
		for i := range entries {
			if v, ok := entries[i].Figure(s.column); ok {
				if err := do(&entries[i], v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
