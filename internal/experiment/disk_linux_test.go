package experiment

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/heapwright/heapwright/internal/target"
)

// A full disk ends the experiment at once and keeps everything written before.
// With room again it continues from there.
func TestFullDisk(t *testing.T) {
	for _, test := range []struct {
		name string
		at   int // the timed run in which the disk becomes full
		runs int // that are made
	}{
		{ReportFile, 7, 9},        // the document after block 3 is not written
		{ResultsFile, 0, 1},       // the first run is not
		{"first document", -1, 0}, // no document is written before the first run
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				p := planOf(t, f, "default,GOGC=50", lab(t))
				p.Blocks = 12
				if err := os.MkdirAll(p.OutDir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := syscall.Mount("tmpfs", p.OutDir, "tmpfs", 0, "size=1m,mode=755"); err != nil {
					t.Skip("no disk of its own: ", err)
				}
				t.Cleanup(func() { syscall.Unmount(p.OutDir, syscall.MNT_DETACH) })
				filler := filepath.Join(p.OutDir, "filler")
				fill := func() {
					if test.name == ResultsFile { // its last page has room until the file ends with it
						results, err := os.OpenFile(filepath.Join(p.OutDir, ResultsFile), os.O_WRONLY|os.O_APPEND, 0)
						if err != nil {
							t.Fatal(err)
						}
						info, err := results.Stat()
						if err != nil {
							t.Fatal(err)
						}
						page := int64(os.Getpagesize())
						if _, err := results.Write(bytes.Repeat([]byte("\n"), int(page-info.Size()%page))); err != nil {
							t.Error(err)
						}
						results.Close()
					}
					os.WriteFile(filler, bytes.Repeat([]byte{1}, 2<<20), 0o600) // as much as fits
				}
				if test.at < 0 {
					fill()
				}
				f.figures = func(r fakeRun) ([]target.Figures, error) {
					if r.n == test.at {
						fill()
					}
					return healthy(r), nil
				}
				_, err := begin(t.Context(), p)
				if err == nil || !strings.Contains(err.Error(), "no space left on device") || !strings.Contains(err.Error(), "continue with -resume") {
					t.Errorf("it ended with %v", err)
				}
				if f.runs != test.runs {
					t.Errorf("it went on for %d runs", f.runs)
				}
				os.Remove(filler)
				if test.runs < 2 {
					return // nothing was measured
				}
				doc, runs, err := Resume(p.OutDir)
				if err != nil || doc.Blocks != 2 || len(runs) != 6 {
					t.Fatalf("%d blocks and %d runs are kept: %v", doc.Blocks, len(runs), err)
				}
				if doc, err = resume(t, p, &fake{}); err != nil || doc.Blocks != 12 {
					t.Errorf("with room again it went on to %d blocks: %v", doc.Blocks, err)
				}
			})
		})
	}
}
