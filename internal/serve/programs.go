package serve

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/profile"
)

// files returns the files that the processes of a profile have mapped.
func files(p *profile.Profile) (all []string) {
	for _, id := range p.Mappings {
		all = append(all, p.Dict.Mapping(id).File)
	}
	return all
}

// programs returns the names of the binaries that some profiles are from, sorted. Their
// folders may have versions, so they do not count.
func programs(profiles []Evidence) []string {
	found := map[string]bool{}
	for _, p := range profiles {
		for _, file := range p.mappings {
			name := path.Base(strings.ReplaceAll(file, `\`, "/"))
			if name != "." && name[0] != '[' && !library(name) {
				found[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func library(name string) bool {
	return strings.HasSuffix(name, ".so") || strings.Contains(name, ".so.") || strings.HasSuffix(name, ".dll")
}
