package store

import (
	"errors"
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// MostLabel bounds the names of services and versions, and the names and values of labels, in
// bytes.
const MostLabel = 200

// Bounds of one profile. Real ones stay far below.
const (
	mostLabels   = 30
	mostTypes    = 32       // sample types; Go's profiles have up to four
	mostMappings = 4096     // binaries and libraries of the process
	mostHeader   = 64 << 10 // bytes of names, comments and mappings
	mostMoves    = 1000     // profiles of one series at one time
)

// ErrLabels is wrapped by the error of a name or of labels that are not kept.
var ErrLabels = errors.New("not labels to keep")

// ErrMany is wrapped by the error of a service or series beyond the limit of a day.
var ErrMany = errors.New("too many for one day")

// ErrLarge is wrapped by the error of a query that would take too much memory.
var ErrLarge = errors.New("too much for one query")

// Check reports whether the service, the kind and the labels of an entry can be kept.
func (e *Entry) Check() error {
	switch {
	case e.Service == "" || len(e.Service) > MostLabel || strings.ContainsRune(e.Service, 0):
		return fmt.Errorf("%w: the name of the service must have 1 to %d bytes", ErrLabels, MostLabel)
	case len(e.Kind) > MostLabel:
		return fmt.Errorf("%w: kind %.40q has more than %d bytes", ErrLabels, e.Kind, MostLabel)
	case len(e.Labels) > mostLabels:
		return fmt.Errorf("%w: there are %d, more than %d", ErrLabels, len(e.Labels), mostLabels)
	}
	for name, value := range e.Labels {
		if name == "" || len(name) > MostLabel || len(value) > MostLabel {
			return fmt.Errorf("%w: label %.40q: names and values have at most %d bytes", ErrLabels, name, MostLabel)
		}
	}
	return nil
}

// check reports whether the header of a profile can be kept.
func (h *header) check() error {
	for _, t := range h.types {
		if len(t.Type) > MostLabel || len(t.Unit) > MostLabel {
			return fmt.Errorf("%w: sample type %.40q has more than %d bytes", ErrProfile, t.Type, MostLabel)
		}
	}
	switch {
	case len(h.types) > mostTypes:
		return fmt.Errorf("%w: %d sample types, more than %d", ErrProfile, len(h.types), mostTypes)
	case len(h.mappings) > mostMappings:
		return fmt.Errorf("%w: %d mappings, more than %d", ErrProfile, len(h.mappings), mostMappings)
	case len(h.append(nil)) > mostHeader:
		return fmt.Errorf("%w: names and comments of more than %d bytes", ErrProfile, mostHeader)
	}
	return nil
}

// refusal is the error of a profile that cannot be decoded.
func refusal(err error, limit int64) error {
	if errors.Is(err, profile.ErrTooLarge) { // serve has no flag -max-bytes
		return fmt.Errorf("%w: %w of %d MiB, inflated and decoded", ErrProfile, profile.ErrTooLarge, limit>>20)
	}
	return fmt.Errorf("%w: %w", ErrProfile, err)
}

// Refusals counts appends that were not kept since the store was opened: services and
// series beyond their limit, labels, times in the future or too long ago, profiles that are
// too large or none, and other reasons, such as the disk.
type Refusals struct {
	Series   int64
	Labels   int64
	Times    int64
	Profiles int64
	Others   int64
}

func (r *Refusals) count(err error) {
	switch {
	case err == nil:
	case errors.Is(err, ErrMany):
		r.Series++
	case errors.Is(err, ErrLabels):
		r.Labels++
	case errors.Is(err, ErrTime):
		r.Times++
	case errors.Is(err, ErrProfile):
		r.Profiles++
	default:
		r.Others++
	}
}

// Total returns how many appends were not kept.
func (r Refusals) Total() int64 { return r.Series + r.Labels + r.Times + r.Profiles + r.Others }
