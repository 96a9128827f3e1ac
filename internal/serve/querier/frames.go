package querier

import (
	"regexp"
	"slices"

	"github.com/heapwright/heapwright/internal/profile"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
)

// frameFilter selects whole stacks by the names of their functions, as the filter of Profiles
// Drilldown does: each of its includes must be the name of a frame, and no exclude may be.
type frameFilter struct{ include, exclude []func(name string) bool }

// newFrameFilter returns nil for a filter without names.
func newFrameFilter(in *pb.FrameFilter) (*frameFilter, error) {
	f := &frameFilter{}
	for _, side := range []struct {
		to             *[]func(string) bool
		names, regexes []string
	}{
		{&f.include, in.GetIncludeFunctionNames(), in.GetIncludeFunctionNameRegexes()},
		{&f.exclude, in.GetExcludeFunctionNames(), in.GetExcludeFunctionNameRegexes()},
	} {
		for _, want := range side.names {
			*side.to = append(*side.to, func(name string) bool { return name == want })
		}
		for _, text := range side.regexes {
			regex, err := regexp.Compile(text)
			if err != nil {
				return nil, bad("functions: %w", err)
			}
			*side.to = append(*side.to, regex.MatchString)
		}
	}
	if len(f.include)+len(f.exclude) == 0 {
		return nil, nil
	}
	return f, nil
}

// over returns whether a row of a profile passes. A nil filter passes all.
func (f *frameFilter) over(p *profile.Profile) func(row int) bool {
	if f == nil {
		return func(int) bool { return true }
	}
	known := map[profile.StackID]bool{}
	return func(row int) bool {
		stack := p.Stacks[row]
		pass, ok := known[stack]
		if !ok {
			pass = f.passes(p, stack)
			known[stack] = pass
		}
		return pass
	}
}

func (f *frameFilter) passes(p *profile.Profile, stack profile.StackID) bool {
	var names []string
	for frame := range p.Dict.Frames(stack) {
		names = append(names, p.Dict.FrameName(frame))
	}
	for _, is := range f.exclude {
		if slices.ContainsFunc(names, is) {
			return false
		}
	}
	for _, is := range f.include {
		if !slices.ContainsFunc(names, is) {
			return false
		}
	}
	return true
}
