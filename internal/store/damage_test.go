package store

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"go.etcd.io/bbolt"
)

// A byte that flips, or a file that ends too early, may cost its own day, but neither
// the process nor another day, and no wrong figure is read.
func TestDamage(t *testing.T) {
	good := t.TempDir()
	s := open(t, good, Options{})
	yesterday := noon.AddDate(0, 0, -1)
	for _, at := range []time.Time{yesterday, noon} {
		for i := range 30 {
			p := profiletest.NewHeap(0).Heap(int64(100+i), 7, "app.leak@x.go:1")
			add(t, s, Entry{Service: "shop", Time: at.Add(time.Duration(i) * time.Second)}, p)
		}
	}
	s.Close()
	file := "2026-03-03.db"
	whole, err := os.ReadFile(filepath.Join(good, file))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(good, "2026-03-04.db"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, damaged []byte) {
		dir := t.TempDir()
		for name, data := range map[string][]byte{file: damaged, "2026-03-04.db": other} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, dir, Options{})
		defer s.Close()
		for day, least := range map[time.Time]int{yesterday: 0, noon: 30} {
			q := Query{Service: "shop", From: day, To: day.Add(time.Hour)}
			all, err := s.Select(t.Context(), q)
			if err == nil && len(all) < least {
				t.Fatalf("%s: %d entries of the other day", what, len(all))
			}
			for _, e := range all {
				p, err := s.Read(t.Context(), e)
				if err != nil {
					if least > 0 {
						t.Fatalf("%s: the other day: %v", what, err)
					}
					continue
				}
				if p.Total(2) != 7 {
					t.Fatalf("%s: a wrong value is read: %d", what, p.Total(2))
				}
			}
		}
	}
	for i := 0; i < len(whole); i += 997 {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x5a
		check("flipped", damaged)
	}
	for _, n := range []int{1, 100, 4096, 5000, len(whole) / 2, len(whole) - 1} {
		check("cut off", whole[:n])
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	if _, err := Open(dir, s.opts); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("two stores in one folder: %v", err)
	}
	d := s.days["2026-03-04.db"]
	if err := d.db.Update(checkVersion); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for version, remedy := range map[string]string{"3": "update heapwright", "1": "move it away"} {
		dir := t.TempDir()
		other := open(t, dir, Options{})
		if err := other.days["2026-03-04.db"].db.Update(func(tx *bbolt.Tx) error {
			return tx.Bucket(versionBucket).Put([]byte("version"), []byte(version))
		}); err != nil {
			t.Fatal(err)
		}
		other.Close()
		if _, err := Open(dir, s.opts); err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("version %s: %v", version, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "missing"), Options{}); err == nil {
		t.Error("a missing folder is opened")
	}
}
