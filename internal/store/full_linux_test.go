package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// A full disk refuses new profiles and keeps those that are there. When it has room
// again, appends succeed again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := disk(t)
	s := open(t, dir, Options{})
	kept, full := fill(t, s)
	if !errors.Is(full, syscall.ENOSPC) {
		t.Fatalf("%d are kept, then: %v", kept, full)
	}
	look := func() {
		t.Helper()
		all, err := s.Select(t.Context(), Query{Service: "shop", From: noon.Add(-time.Hour), To: noon.Add(time.Hour)})
		if err != nil || len(all) != kept {
			t.Fatal(len(all), kept, err)
		}
		for _, e := range all {
			if _, err := s.Read(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
	}
	look()
	if u, err := s.Usage(); err != nil || u.Refused.Others == 0 {
		t.Error("the page does not say so:", u, err)
	}
	remount(t, dir, 0, "size=8m")
	add(t, s, Entry{Service: "shop", Time: noon}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	kept++
	look()
	s.Close()
	s = open(t, dir, Options{})
	look()
	s.Close()
}

// A disk that is full at midnight refuses the new day and has the days before. That day
// begins when there is room.
func TestFullDiskAtMidnight(t *testing.T) {
	t.Parallel()
	dir := disk(t)
	now := noon
	opts := Options{Now: func() time.Time { return now }}
	s := open(t, dir, opts)
	kept, _ := fill(t, s)
	if err := os.WriteFile(filepath.Join(dir, "rest"), make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	now = noon.AddDate(0, 0, 1)
	tomorrow := func() error {
		_, err := s.Append(t.Context(), Entry{Service: "shop", Time: now}, packedProfile(t, profiletest.NewCPU().CPU(1, "app.f@x.go:1")))
		return err
	}
	look := func() {
		t.Helper()
		all, err := s.Select(t.Context(), Query{Service: "shop", From: noon.Add(-time.Hour), To: noon.Add(time.Hour)})
		if u, _ := s.Usage(); err != nil || len(all) != kept || !errors.Is(u.Unwritable, ErrDisk) || s.Damaged() != nil {
			t.Fatal(len(all), kept, err, u.Unwritable, s.Damaged())
		}
	}
	if err := tomorrow(); !errors.Is(err, ErrDisk) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	look()
	s.Close()
	s = open(t, dir, opts) // it starts on the full disk, too
	defer func() { s.Close() }()
	look()
	remount(t, dir, 0, "size=8m")
	if err := tomorrow(); err != nil {
		t.Fatal(err)
	}
	if u, err := s.Usage(); err != nil || u.Unwritable != nil || u.Days != 2 {
		t.Error(u, err)
	}
}

// On a disk that cannot be written, profiles are read and refused. When it can be written
// again, appends succeed again.
func TestReadOnlyDisk(t *testing.T) {
	dir := disk(t)
	s := open(t, dir, Options{})
	e := Entry{Service: "shop", Time: noon.AddDate(0, 0, -1)}
	add(t, s, e, profiletest.NewCPU().CPU(7, "app.f@x.go:1"))
	s.Close()
	remount(t, dir, syscall.MS_RDONLY, "")
	for _, now := range []time.Time{noon, noon.AddDate(0, 0, 1)} { // today's file is there, and is not
		s = open(t, dir, Options{Now: func() time.Time { return now }})
		u, err := s.Usage()
		if err != nil || !errors.Is(u.Unwritable, ErrDisk) {
			t.Error(u, err)
		}
		p, err := s.Merge(t.Context(), Query{Service: "shop", Kind: CPU, From: noon.AddDate(0, 0, -2), To: noon})
		if err != nil || p.Total(0) != 7 {
			t.Fatal(err)
		}
		e.Time = now
		data := packedProfile(t, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
		if _, err := s.Append(t.Context(), e, data); !errors.Is(err, ErrDisk) {
			t.Error(err)
		}
		remount(t, dir, 0, "")
		if _, err := s.Append(t.Context(), e, data); err != nil {
			t.Error(err)
		}
		if u, err := s.Usage(); err != nil || u.Unwritable != nil {
			t.Error(u, err)
		}
		s.Close()
		remount(t, dir, syscall.MS_RDONLY, "")
	}
}

// disk mounts a disk of 2 MiB.
func disk(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("mounting a small disk:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func remount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

// fill appends until the disk refuses.
func fill(t *testing.T, s *Local) (kept int, full error) {
	t.Helper()
	for i := range 10_000 {
		p := profiletest.NewCPU()
		for j := range 40 {
			p.CPU(int64(i), longStack(i, j))
		}
		e := Entry{Service: "shop", Time: noon.Add(time.Duration(i-10_000) * time.Millisecond)}
		if _, err := s.Append(t.Context(), e, packedProfile(t, p)); err != nil {
			return kept, err
		}
		kept++
	}
	return kept, nil
}

// longStack is a stack that no other profile has.
func longStack(i, j int) string {
	return fmt.Sprintf("app.function%d_%d@/src/app/some/folder/file%d.go:%d main.main@/src/app/main.go:1", i, j, i*j, i)
}
