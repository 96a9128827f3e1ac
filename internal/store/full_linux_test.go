package store

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// A full disk refuses new profiles and keeps those that are there. When it has room
// again, appends succeed again.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("mounting a small disk:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
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
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
	add(t, s, Entry{Service: "shop", Time: noon}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	kept++
	look()
	s.Close()
	s = open(t, dir, Options{})
	look()
	s.Close()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{Now: s.opts.Now}); !errors.Is(err, syscall.EROFS) {
		t.Errorf("a disk that cannot be written: %v", err)
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
