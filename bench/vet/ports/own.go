package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/bench/internal/vetting"
)

// A module is a module of this repository.
type module struct {
	Dir     string
	Misuse  []string // reports about deliberate misuse
	Reports []string // the others
	Failed  []string // packages that could not be checked
}

// misuse has the files that use arenas in forbidden ways, to test or illustrate the
// consequences.
var misuse = map[string]bool{
	"arena/panic_test.go": true, "arena/retain_test.go": true, "arena/stale_test.go": true,
	"arena/arenajson/badinput_test.go": true, "arena/arenajson/stale_test.go": true,
	"arena/arenapb/arenapbtest/badinput_test.go": true, "arena/arenapb/arenapbtest/off_test.go": true,
	"arena/arenapb/arenapbtest/stalegoroutines_test.go": true,
	"workloads/reuse/main.go":                           true,
}

// own runs the checks on all modules of this repository, in their workspaces.
func (s *settings) own(ctx context.Context) (all []module, err error) {
	var dirs []string
	err = filepath.WalkDir(s.checkout, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "testdata", "heapwright-out"}, d.Name()) {
			return filepath.SkipDir
		}
		if d.Name() == "go.mod" {
			dirs = append(dirs, filepath.Dir(name))
		}
		return nil
	})
	for _, dir := range dirs {
		fmt.Fprintf(os.Stderr, "%s: vet\n", dir)
		d, err := vetting.Vet(ctx, program.In{Dir: dir}, s.tool, "./...")
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(s.checkout, dir)
		if err != nil {
			return nil, err
		}
		m := module{Dir: filepath.ToSlash(name)}
		for _, r := range reportsOf(d) {
			file, _, _ := strings.Cut(r, ":")
			if misuse[path.Join(m.Dir, file)] {
				m.Misuse = append(m.Misuse, r)
			} else {
				m.Reports = append(m.Reports, r)
			}
		}
		for _, f := range d.Failures {
			m.Failed = append(m.Failed, f.String())
		}
		all = append(all, m)
	}
	return all, err
}
