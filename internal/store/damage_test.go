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

// A byte that flips, or a file that ends too early, may cost its own day, be it today or
// before, but neither the process nor another day, and no wrong figure is read.
func TestDamage(t *testing.T) {
	t.Parallel()
	good := t.TempDir()
	s := open(t, good, Options{})
	days := map[string]time.Time{"2026-03-03.db": noon.AddDate(0, 0, -1), "2026-03-04.db": noon}
	for _, at := range days {
		for i := range 30 {
			p := profiletest.NewHeap(0).Heap(int64(100+i), 7, "app.leak@x.go:1")
			add(t, s, Entry{Service: "shop", Time: at.Add(time.Duration(i) * time.Second)}, p)
		}
	}
	s.Close()
	whole := map[string][]byte{}
	for name := range days {
		data, err := os.ReadFile(filepath.Join(good, name))
		if err != nil {
			t.Fatal(err)
		}
		whole[name] = data
	}
	check := func(kind, file string, damaged []byte) {
		dir := t.TempDir()
		for name, data := range whole {
			if name == file {
				data = damaged
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, dir, Options{})
		defer s.Close()
		for name, at := range days {
			all, err := s.Select(t.Context(), Query{Service: "shop", From: at, To: at.Add(time.Hour)})
			if err == nil && name != file && len(all) < 30 {
				t.Fatalf("%s: %d entries of the other day", kind, len(all))
			}
			for _, e := range all {
				p, err := s.Read(t.Context(), e)
				if err != nil {
					if name != file {
						t.Fatalf("%s: the other day: %v", kind, err)
					}
					continue
				}
				if p.Total(2) != 7 {
					t.Fatalf("%s: a wrong value is read: %d", kind, p.Total(2))
				}
			}
		}
	}
	for file, data := range whole {
		for i := 0; i < len(data); i += 997 {
			damaged := bytes.Clone(data)
			damaged[i] ^= 0x5a
			check("flipped", file, damaged)
		}
		for _, n := range []int{0, 1, 100, 4096, 5000, len(data) / 2, len(data) - 1} {
			check("cut off", file, data[:n])
		}
	}
}

// Today's file is set aside if it cannot be opened, and today begins again.
func TestTodayIsDamaged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "2026-03-04.db")
	if err := os.WriteFile(file, bytes.Repeat([]byte("x"), 1<<15), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, Options{})
	add(t, s, Entry{Service: "shop", Time: noon}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	s.Close()
	s = open(t, dir, Options{}) // it is named as long as it is there
	defer s.Close()
	if err := s.Damaged(); err == nil || !strings.Contains(err.Error(), "2026-03-04.db.damaged") {
		t.Error(err)
	}
	if all, err := s.Select(t.Context(), Query{Service: "shop", From: noon, To: noon.Add(1)}); err != nil || len(all) != 1 {
		t.Error(all, err)
	}
}

// The damaged pages of one service take no appends of others with them that are written
// in the same transaction.
func TestDamagedService(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	for _, service := range []string{"broken", "shop"} {
		add(t, s, Entry{Service: service, Time: noon}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	}
	if err := s.days["2026-03-04.db"].db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketOf("broken", 0)).Bucket(seriesBucket).Put([]byte{0, 0, 0, 1}, []byte("flipped"))
	}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = open(t, dir, Options{})
	defer s.Close()
	data := packedProfile(t, profiletest.NewCPU().CPU(2, "app.f@x.go:1"))
	var together []*appending
	for _, service := range []string{"shop", "broken", "shop"} {
		e := Entry{Service: service, Time: noon.Add(time.Duration(len(together)) * time.Minute)}
		together = append(together, &appending{entry: e, data: data})
	}
	s.commit(together)
	if together[0].err != nil || together[1].err == nil || together[2].err != nil {
		t.Error(together[0].err, together[1].err, together[2].err)
	}
	all, err := s.Select(t.Context(), Query{Service: "shop", From: noon, To: noon.Add(time.Hour)})
	if err != nil || len(all) != 3 {
		t.Error(all, err)
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	if _, err := Open(dir, s.opts); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("two stores in one folder: %v", err)
	}
	d := s.days["2026-03-04.db"]
	if err := d.checkVersion(); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for version, remedy := range map[string]string{"3": "update heapwright", "1": "move it away"} {
		dir := t.TempDir()
		openDayAs(t, dir, "2026-03-04.db", version)
		if _, err := Open(dir, s.opts); err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("version %s: %v", version, err)
		}
	}
	// An older day that a newer program has written is named, and the others are read.
	other := openDayAs(t, dir, "2026-03-02.db", "3")
	s = open(t, dir, Options{})
	add(t, s, Entry{Service: "shop", Time: noon}, profiletest.NewCPU().CPU(1, "app.f@x.go:1"))
	all, err := s.Services(t.Context(), noon.AddDate(0, 0, -5), noon)
	if named := s.Damaged(); err != nil || len(all) != 1 || named == nil || !strings.Contains(named.Error(), other) {
		t.Error(all, err, named)
	}
	s.Close()
	if _, err := Open(filepath.Join(dir, "missing"), Options{}); err == nil {
		t.Error("a missing folder is opened")
	}
}

// openDayAs makes the file of a day with a version, and returns its path.
func openDayAs(t *testing.T, dir, name, version string) string {
	t.Helper()
	d, err := openDay(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(versionBucket).Put([]byte("version"), []byte(version))
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.db.Close(); err != nil {
		t.Fatal(err)
	}
	return d.path
}
