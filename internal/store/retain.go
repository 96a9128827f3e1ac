package store

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Usage is how much is kept.
type Usage struct {
	Bytes    int64     // the size of all files
	Oldest   time.Time // the beginning of the oldest day; zero without one
	Days     int
	MaxAge   time.Duration
	MaxBytes int64
	Refused  Refusals
	// Unwritable is why the last profile could not be written, nil if it could.
	Unwritable error
}

// Usage returns how much is kept, and the limits of that.
func (s *Local) Usage() (Usage, error) {
	s.counting.Lock()
	u := Usage{MaxAge: s.opts.MaxAge, MaxBytes: s.opts.MaxBytes, Refused: s.refused, Unwritable: s.unwritable}
	s.counting.Unlock()
	names, err := s.names()
	if err != nil {
		return u, err
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(s.dir, name))
		if err != nil {
			continue // it is just being removed
		}
		if u.Days == 0 {
			u.Oldest, _ = dayOf(name)
		}
		u.Days++
		u.Bytes += info.Size()
	}
	return u, nil
}

// Retain removes days that are too old, and the oldest ones while all are too large. The
// newest day stays. It returns the names of the files that it removed.
func (s *Local) Retain() (removed []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	u, err := s.Usage()
	if err != nil {
		return nil, err
	}
	oldest := dayName(s.opts.Now().Add(-s.opts.MaxAge))
	var errs []error
	for _, name := range names[:max(0, len(names)-1)] {
		if name >= oldest && u.Bytes <= s.opts.MaxBytes {
			break
		}
		path := filepath.Join(s.dir, name)
		if info, err := os.Stat(path); err == nil {
			u.Bytes -= info.Size()
		}
		if d := s.days[name]; d != nil {
			errs = append(errs, d.db.Close())
			delete(s.days, name)
		}
		delete(s.damaged, name)
		if err := os.Remove(path); err != nil {
			errs = append(errs, err)
			continue
		}
		removed = append(removed, name)
	}
	return removed, errors.Join(errs...)
}
