package flame

import (
	"regexp"

	"github.com/heapwright/heapwright/internal/profile"
)

// stackFilter returns which stacks pass focus and ignore. As in go tool pprof a
// frame matches by its function's name, its file or its binary.
func stackFilter(d *profile.Dict, focus, ignore *regexp.Regexp) func(profile.StackID) bool {
	if focus == nil && ignore == nil {
		return func(profile.StackID) bool { return true }
	}
	focused, ignored := locationFilter(d, focus), locationFilter(d, ignore)
	return func(stack profile.StackID) bool {
		found := focus == nil
		for _, loc := range d.Stack(stack) {
			if ignore != nil && ignored(loc) {
				return false
			}
			found = found || focused(loc)
		}
		return found
	}
}

// locationFilter returns which locations match; it asks once for each.
func locationFilter(d *profile.Dict, re *regexp.Regexp) func(profile.LocationID) bool {
	known := map[profile.LocationID]bool{}
	return func(loc profile.LocationID) bool {
		match, ok := known[loc]
		if !ok {
			match = re.MatchString(d.Mapping(d.Location(loc).Mapping).File)
			for i := range d.Lines(loc) {
				f := d.Function(d.Line(loc, i).Function)
				match = match || re.MatchString(f.Name) || re.MatchString(f.File)
			}
			known[loc] = match
		}
		return match
	}
}
