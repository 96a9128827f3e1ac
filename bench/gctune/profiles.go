package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"
)

// readProfiles counts the profiles in a folder. It also returns the allocation
// site that holds the most memory in the newest heap profile.
func readProfiles(dir string) (n int, holder string, err error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.pprof"))
	if err != nil {
		return 0, "", err
	}
	heaps, err := filepath.Glob(filepath.Join(dir, "*.heap.pprof")) // in order of time
	if err != nil || len(heaps) == 0 {
		return len(all), "", err
	}
	data, err := os.ReadFile(heaps[len(heaps)-1])
	if err != nil {
		return 0, "", err
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w", heaps[len(heaps)-1], err)
	}
	held, most := map[string]int64{}, int64(0)
	for _, s := range p.Sample {
		line := s.Location[0].Line[0]
		name := fmt.Sprintf("%s:%d", line.Function.Name, line.Line)
		held[name] += s.Value[len(s.Value)-1] // inuse_space
		if held[name] > most {
			holder, most = name, held[name]
		}
	}
	return len(all), holder, nil
}
