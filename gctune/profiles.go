package gctune

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"
)

// profileNames are the profiles of one call: the heap with the places that allocated
// it, and the goroutines at work.
var profileNames = [...]string{"heap", "allocs", "goroutine"}

const profilePrefix = "gctune-"

// ProfileWriter returns a Hook.Do that writes the heap, allocs and goroutine
// profiles to folder, as gctune-TIME-PID.NAME.pprof. It keeps the newest keep sets
// of three in the folder, at least one. A file appears under its name only when it
// is complete; one that a killed process left unfinished is removed after an hour.
//
// ProfileWriter creates the folder if necessary, and returns an error if it cannot
// write there, so that this does not emerge only when memory is short. Hook.Every
// limits the rate. Concurrent calls write one after the other.
func ProfileWriter(folder string, keep int) (func(Event) error, error) {
	if keep < 1 {
		return nil, fmt.Errorf("gctune: profiles: keep is %d: keep at least 1 set", keep)
	}
	folder, err := filepath.Abs(folder) // the process may change its own
	if err != nil {
		return nil, fmt.Errorf("gctune: profiles: %w: give a folder as an absolute path", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("gctune: profiles: %w: give a folder that this process may write to", err)
	}
	probe, err := os.CreateTemp(folder, profilePrefix+"*.tmp")
	if err != nil {
		return nil, fmt.Errorf("gctune: profiles: %w: give a folder that this process may write to", err)
	}
	probe.Close()
	os.Remove(probe.Name())
	var turn sync.Mutex
	return func(Event) error {
		turn.Lock()
		defer turn.Unlock()
		// Room first: the folder may be full of our own.
		errs := []error{dropOldest(folder, keep-1)}
		now := time.Now().UTC()
		stamp := fmt.Sprintf("%s%09d", now.Format("20060102T150405"), now.Nanosecond())
		for _, name := range profileNames {
			errs = append(errs, writeProfile(name, filepath.Join(folder, fmt.Sprintf("%s%s-%d.%s.pprof", profilePrefix, stamp, os.Getpid(), name))))
		}
		return errors.Join(errs...)
	}, nil
}

const (
	// earlier is where, as a part of its share, the hooks for profiles write a
	// first set: a leak that meets the share has grown by a quarter since, which
	// is several times the uncertainty of a heap profile's sampling.
	earlier = 0.75
	// earlierEvery bounds the first sets of a process that needs so much all day.
	earlierEvery = time.Hour

	// together is the interval within which two sets count as one: they show no
	// growth (heapwright diagnose skips the second).
	together = time.Second
)

// ProfileOptions say when [ProfileHooks] write, and how much they keep.
type ProfileOptions struct {
	// Share and Every mean the same as in Hook, with the same defaults.
	Share float64
	Every time.Duration

	// Keep is the number of sets of profiles that stay in the folder. 0 means 8.
	Keep int
}

const defaultKeep = 8

// ProfileHooks returns two hooks that write profiles to folder as [ProfileWriter] does:
// one at three quarters of the share, at most once an hour, and one at the share. One
// heap profile shows the objects that are held. Two show which of them grow, so that
// heapwright diagnose FOLDER distinguishes a leak from a full cache. If both hooks are
// called within a second, as by a steep rise, they write one set.
func ProfileHooks(folder string, o ProfileOptions) ([]Hook, error) {
	if o.Share == 0 {
		o.Share = defaultShare
	}
	if o.Keep == 0 {
		o.Keep = defaultKeep
	}
	write, err := ProfileWriter(folder, o.Keep)
	if err != nil {
		return nil, err
	}
	write = oneTogether(write)
	return []Hook{
		{Share: o.Share * earlier, Every: max(o.Every, earlierEvery), Do: write},
		{Share: o.Share, Every: o.Every, Do: write},
	}, nil
}

// oneTogether leaves out calls of do that are made together with an earlier one,
// however long that takes.
func oneTogether(do func(Event) error) func(Event) error {
	var mu sync.Mutex
	var last time.Time
	return func(e Event) error {
		mu.Lock()
		now := time.Now()
		first := last.IsZero() || now.Sub(last) > together
		if first {
			last = now
		}
		mu.Unlock()
		if !first {
			return nil
		}
		return do(e)
	}
}

// writeProfile writes a profile to a temporary file and renames it.
func writeProfile(name, file string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), profilePrefix+"*.tmp")
	if err != nil {
		return fmt.Errorf("gctune: profiles: %w: make the folder writable", err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = fmt.Errorf("gctune: profiles: %s: %w: make room in the folder", name, err)
		}
	}()
	if err := errors.Join(pprof.Lookup(name).WriteTo(f, 0), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// abandoned is the age from which on nobody writes to a temporary file any more.
const abandoned = time.Hour

// dropOldest removes the oldest sets of profiles until keep are left, and the
// temporary files of writers that were killed. Another process may do so at the
// same time.
func dropOldest(folder string, keep int) error {
	entries, err := os.ReadDir(folder) // sorted by name, and so by time
	if err != nil {
		return fmt.Errorf("gctune: profiles: %w", err)
	}
	var errs []error
	remove := func(name string) {
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("gctune: profiles: %w: make the folder writable", err))
		}
	}
	var files, sets []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, profilePrefix):
		case strings.HasSuffix(name, ".tmp"):
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
				remove(name)
			}
		case strings.HasSuffix(name, ".pprof"):
			files = append(files, name)
			if len(sets) == 0 || sets[len(sets)-1] != set(name) {
				sets = append(sets, set(name))
			}
		}
	}
	old := sets[:max(len(sets)-keep, 0)]
	for _, name := range files {
		if slices.Contains(old, set(name)) {
			remove(name)
		}
	}
	return errors.Join(errs...)
}

// set is the beginning of the names of profiles of the same call.
func set(name string) string {
	s, _, _ := strings.Cut(name, ".")
	return s
}
