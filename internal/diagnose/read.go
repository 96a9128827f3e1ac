package diagnose

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// Source is one profile that was read.
type Source struct {
	Name     string        `json:"name"` // file or URL
	Kind     Kind          `json:"kind"`
	Stacks   int           `json:"stacks"` // distinct ones, by label
	Taken    time.Time     `json:"taken,omitzero"`
	Duration time.Duration `json:"duration,omitempty"` // nanoseconds; 0 for a snapshot
}

// Profiles are the profiles that a diagnosis rests on, over one dictionary.
type Profiles struct {
	Dict       *profile.Dict
	CPU        []*profile.Profile
	Heaps      []*profile.Profile // snapshots, in time order
	Allocs     []*profile.Profile // over a time
	Goroutines []*profile.Profile
	Sources    []Source
	Notes      []string

	decoder *profile.Decoder
}

// NewProfiles returns an empty set whose profiles may each have maxBytes when
// inflated; 0 is profile.DefaultMaxBytes.
func NewProfiles(maxBytes int64) *Profiles {
	d := new(profile.Dict)
	return &Profiles{Dict: d, decoder: profile.NewDecoder(profile.Options{MaxBytes: maxBytes, Dict: d, Rebase: true})}
}

// AddFile reads a profile from a file. What it is of is told by its columns.
func (s *Profiles) AddFile(name string) error {
	p, err := s.decoder.DecodeFile(name)
	if err != nil {
		return err
	}
	return s.add(p)
}

// AddBytes is AddFile for what is in memory already, under a name to show.
func (s *Profiles) AddBytes(name string, data []byte) error {
	p, err := s.decoder.DecodeBytes(name, data)
	if err != nil {
		return err
	}
	return s.add(p)
}

// addAs reads a profile that is shown under another name than its file's.
func (s *Profiles) addAs(name, file string) error {
	p, err := s.decoder.DecodeFile(file)
	if err != nil {
		return err
	}
	p.Name = name
	return s.add(p)
}

func (s *Profiles) add(p *profile.Profile) error {
	kind, err := kindOf(p)
	if err != nil {
		return err
	}
	src := Source{Name: p.Name, Kind: kind, Stacks: p.Len(), Duration: time.Duration(p.DurationNanos)}
	if p.TimeNanos != 0 {
		src.Taken = time.Unix(0, p.TimeNanos).UTC()
	}
	s.Sources = append(s.Sources, src)
	if claim := claimed(p.Name); claim != "" && claim != kind && (claim == CPU || kind == CPU) {
		s.note("%s holds a %s profile, whatever its name says", p.Name, kind)
	}
	switch kind {
	case CPU:
		s.CPU = append(s.CPU, p)
	case Heap:
		s.Heaps = append(s.Heaps, p)
	case Allocs:
		s.Allocs = append(s.Allocs, p)
	case Goroutine:
		s.Goroutines = append(s.Goroutines, p)
	case Wait:
		s.note("%s: mutex and block profiles tell of waiting, not of memory: not used", p.Name)
	}
	return nil
}

func (s *Profiles) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// order sorts by time what has to be in time order, and refuses profiles that
// cannot be compared.
func (s *Profiles) order() error {
	if len(s.CPU)+len(s.Heaps)+len(s.Allocs)+len(s.Goroutines) == 0 {
		return errors.New("no heap, allocs, CPU or goroutine profile among the sources; give at least one")
	}
	byTime := func(a, b *profile.Profile) int { return cmp.Compare(a.TimeNanos, b.TimeNanos) }
	timed := func(p *profile.Profile) bool { return p.TimeNanos != 0 }
	for _, all := range [][]*profile.Profile{s.Heaps, s.Goroutines} {
		if len(all) > 1 && !slices.ContainsFunc(all, func(p *profile.Profile) bool { return !timed(p) }) {
			slices.SortStableFunc(all, byTime)
		}
	}
	all := slices.Concat(s.Heaps, s.Allocs)
	for _, p := range all {
		if p.Period != all[0].Period {
			return fmt.Errorf("%s: sampled every %d bytes, %s every %d: their figures cannot be compared; diagnose them apart",
				p.Name, p.Period, all[0].Name, all[0].Period)
		}
	}
	for _, p := range s.CPU { // which are added up by their numbers of samples
		if p.Period != s.CPU[0].Period {
			return fmt.Errorf("%s: sampled every %d ns of CPU time, %s every %d: their samples do not weigh the same; diagnose them apart",
				p.Name, p.Period, s.CPU[0].Name, s.CPU[0].Period)
		}
	}
	return nil
}
