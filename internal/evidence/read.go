package evidence

import (
	"fmt"
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

// Profiles are the profiles of one program, over one dictionary.
type Profiles struct {
	Dict       *profile.Dict
	CPU        []*profile.Profile
	Heaps      []*profile.Profile // snapshots
	Allocs     []*profile.Profile // over a time
	Goroutines []*profile.Profile
	Leaks      []*profile.Profile // goroutines that nothing can wake (Go 1.27 and later)
	Ended      bool               // they are of a program that did its work and ended
	Sources    []Source
	Notes      []string

	decoder *profile.Decoder
}

// NewProfiles returns an empty set. maxBytes limits each profile's inflated size;
// 0 is profile.DefaultMaxBytes.
func NewProfiles(maxBytes int64) *Profiles {
	return NewProfilesWith(profile.Options{MaxBytes: maxBytes})
}

// NewProfilesWith is NewProfiles with other options too. All profiles together
// are held to the limit.
func NewProfilesWith(opts profile.Options) *Profiles {
	opts.Dict, opts.Rebase = new(profile.Dict), true
	return &Profiles{Dict: opts.Dict, decoder: profile.NewDecoder(opts)}
}

// AddFile reads a profile from a file. Its kind follows from its columns.
func (s *Profiles) AddFile(file string) error { return s.AddFileAs("", file) }

// AddFileAs is AddFile for a profile that is shown under another name.
func (s *Profiles) AddFileAs(name, file string) error {
	p, err := s.decoder.DecodeFile(file)
	if err != nil {
		return err
	}
	if name != "" {
		p.Name = name
		return s.add(p)
	}
	if err := s.add(p); err != nil {
		return err
	}
	kind := s.Sources[len(s.Sources)-1].Kind
	if named := kindByName(p.Name); named != "" && named != kind && (named == CPU || kind == CPU) {
		s.Note("%s holds a %s profile, whatever its name says", p.Name, kind)
	}
	return nil
}

// AddBytes is AddFile for a profile in memory, under a name to show.
func (s *Profiles) AddBytes(name string, data []byte) error {
	p, err := s.decoder.DecodeBytes(name, data)
	if err != nil {
		return err
	}
	return s.add(p)
}

// AddMerged adds up the profiles in files, of successive times or of several
// processes, and adds the sum under a name.
func (s *Profiles) AddMerged(name string, files []string) error {
	m := profile.NewMerger(profile.Options{Dict: s.Dict})
	for _, file := range files {
		p, err := s.decoder.DecodeFile(file)
		if err == nil {
			err = m.Add(p)
		}
		if err != nil {
			return err
		}
	}
	p, err := m.Profile()
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
	s.decoder.Hold(p)
	switch kind {
	case CPU:
		s.CPU = append(s.CPU, p)
	case Heap:
		s.Heaps = append(s.Heaps, p)
	case Allocs:
		s.Allocs = append(s.Allocs, p)
	case Goroutine:
		s.Goroutines = append(s.Goroutines, p)
	case Leak:
		s.Leaks = append(s.Leaks, p)
	case Wait:
		s.Note("%s: mutex and block profiles show waiting, not memory; it is not used", p.Name)
	}
	return nil
}

// Note records a doubt about the profiles.
func (s *Profiles) Note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// Newest returns when the last profile was taken.
func (s *Profiles) Newest() time.Time {
	var last time.Time
	for _, src := range s.Sources {
		if src.Taken.After(last) {
			last = src.Taken
		}
	}
	return last
}
