package gctune

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestProfileWriterKeepsTheNewest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new [folder]")
	write, err := ProfileWriter(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.pprof"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	sets := map[string]bool{}
	var last string
	for range 4 {
		if err := write(Event{}); err != nil {
			t.Fatal(err)
		}
		files := names(t, dir)
		last = set(files[len(files)-2]) // the last one is mine.pprof
		sets[last] = true
	}
	files := names(t, dir)
	if len(files) != 7 || len(sets) != 4 || set(files[3]) != last || files[6] != "mine.pprof" {
		t.Errorf("%d sets written, left: %v", len(sets), files)
	}
}

func TestProfileHooksWriteBeforeTheShareAndAtIt(t *testing.T) {
	dir := t.TempDir()
	hooks, err := ProfileHooks(dir, ProfileOptions{Keep: 4})
	if err != nil {
		t.Fatal(err)
	}
	if o, err := (Options{Hooks: hooks}).filled(); err != nil || o.Hooks[0].Share >= o.Hooks[1].Share || o.Hooks[1].Share != defaultShare {
		t.Errorf("%+v, %v", o.Hooks, err)
	}
	synctest.Test(t, func(t *testing.T) {
		for _, h := range hooks {
			time.Sleep(2 * together)
			if err := h.Do(Event{}); err != nil {
				t.Fatal(err)
			}
		}
	})
	if files := names(t, dir); len(files) != 6 {
		t.Errorf("two calls left %v", files)
	}
	if _, err := ProfileHooks(dir, ProfileOptions{Keep: -1}); err == nil {
		t.Error("hooks that keep nothing are accepted")
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestProfileWriterRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), "/proc/nowhere"} {
		if _, err := ProfileWriter(dir, 1); err == nil || !strings.Contains(err.Error(), "give a folder") {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if _, err := ProfileWriter(t.TempDir(), 0); err == nil {
		t.Error("keep 0: no error")
	}
}

func TestProfileWriterReportsALostFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	write, err := ProfileWriter(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := write(Event{}); err == nil || !strings.Contains(err.Error(), "make the folder writable") {
		t.Errorf("error %v", err)
	}
}

// TestProfileHooksWriteOneSetTogether calls both hooks, as a rise does that no
// longer fits.
func TestProfileHooksWriteOneSetTogether(t *testing.T) {
	dir := t.TempDir()
	hooks, err := ProfileHooks(dir, ProfileOptions{Keep: 9})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		for n := 1; n <= 3; n++ {
			for _, h := range hooks {
				if err := h.Do(Event{}); err != nil {
					t.Error(err)
				}
				time.Sleep(together / 2)
			}
			if files := names(t, dir); len(files) != 3*n {
				t.Errorf("%d times both are called: %v", n, files)
			}
			time.Sleep(defaultEvery)
		}
	})
}

// TestProfileWritersShareAFolder writes at once, again and again.
func TestProfileWritersShareAFolder(t *testing.T) {
	dir := t.TempDir()
	write, err := ProfileWriter(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		var calls sync.WaitGroup
		for range 2 {
			calls.Go(func() {
				if err := write(Event{}); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if files := names(t, dir); len(files) != 3 {
			t.Errorf("of one set there are left: %v", files)
		}
	}
}

func TestProfileWriterStaysInItsFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write, err := ProfileWriter("prof", 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := write(Event{}); err != nil {
		t.Fatal(err)
	}
	if files := names(t, filepath.Join(dir, "prof")); len(files) != 3 {
		t.Errorf("in the folder that was given: %v", files)
	}
}

func TestProfileWriterRemovesWhatKilledOnesLeft(t *testing.T) {
	dir := t.TempDir()
	write, err := ProfileWriter(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"gctune-1.tmp": 2 * abandoned, "gctune-2.tmp": 0, "mine.tmp": 2 * abandoned} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(Event{}); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, name := range names(t, dir) {
		if strings.HasSuffix(name, ".tmp") {
			left = append(left, name)
		}
	}
	if len(left) != 2 || left[0] != "gctune-2.tmp" || left[1] != "mine.tmp" {
		t.Errorf("left: %v", left)
	}
}
