package profile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Prune returns the profile without the frames that its writer does not want to
// be shown, as go tool pprof shows it: of each stack the frames below the first
// that matches DropFrames and not KeepFrames, that frame included, unless all
// above it match too (github.com/google/pprof/profile.RemoveUninteresting). Where
// there is no DropFrames, as in all that Go writes, that is p itself. It adds to
// the Dict, which excludes every other use of it. An error says which expression
// is none; pprof shows all frames then.
func (p *Profile) Prune() (*Profile, error) {
	if p.DropFrames == "" {
		return p, nil
	}
	pr := pruner{dict: p.Dict, functions: map[FunctionID]bool{}, locations: map[LocationID]fate{}}
	var err error
	if pr.drop, err = whole(p.DropFrames); err == nil && p.KeepFrames != "" {
		pr.keep, err = whole(p.KeepFrames)
	}
	if err != nil {
		return nil, fmt.Errorf("profile %q: its frames to drop or keep: %w", p.Name, err)
	}
	q := *p
	q.file, q.Stacks = nil, make([]StackID, len(p.Stacks))
	known := map[StackID]StackID{}
	for row, stack := range p.Stacks {
		to, ok := known[stack]
		if !ok {
			to = StackID(p.Dict.stacks.intern(pr.stack(stack)))
			known[stack] = to
		}
		q.Stacks[row] = to
	}
	return &q, nil
}

func whole(expression string) (*regexp.Regexp, error) {
	return regexp.Compile("^(" + expression + ")$")
}

// pruner drops frames and remembers its decisions by location.
type pruner struct {
	dict       *Dict
	drop, keep *regexp.Regexp
	functions  map[FunctionID]bool
	locations  map[LocationID]fate
	out        []LocationID
}

// fate is what becomes of a location where it is the first to match.
type fate struct {
	matches bool
	left    LocationID // the location without the lines that go; 0 if none is left
}

// stack returns the rest of a stack. The slice is valid until the next call.
func (p *pruner) stack(id StackID) []LocationID {
	stack, user := p.dict.Stack(id), false
	p.out = p.out[:0]
	cut := 0
	for i := len(stack) - 1; i >= 0; i-- {
		l := p.location(stack[i])
		if l.matches && user {
			if cut = i; l.left == 0 {
				cut = i + 1
			}
			break
		}
		user = user || !l.matches
	}
	for _, loc := range stack[cut:] {
		// pprof cuts lines wherever the location stands, but keeps it whole if
		// nothing would be left.
		if l := p.location(loc); l.left != 0 {
			loc = l.left
		}
		p.out = append(p.out, loc)
	}
	return p.out
}

func (p *pruner) location(id LocationID) fate {
	l, ok := p.locations[id]
	if ok {
		return l
	}
	n := p.dict.Lines(id)
	for i := n - 1; i >= 0 && !l.matches; i-- {
		if !p.function(p.dict.Line(id, i).Function) {
			continue
		}
		l.matches = true
		if i < n-1 {
			w := p.dict.locations.at(uint32(id))
			left := slices.Concat(w[:locationWords], w[locationWords+(i+1)*lineWords:])
			l.left = LocationID(p.dict.locations.intern(left))
		}
	}
	p.locations[id] = l
	return l
}

func (p *pruner) function(id FunctionID) bool {
	drop, ok := p.functions[id]
	if !ok {
		if name := p.dict.FunctionName(id); name != "" {
			name = withoutArguments(name)
			drop = p.drop.MatchString(name) && (p.keep == nil || !p.keep.MatchString(name))
		}
		p.functions[id] = drop
	}
	return drop
}

// withoutArguments returns a C++ function's name without its argument list, and
// without the dot of PowerPC's function descriptors.
func withoutArguments(name string) string {
	name = strings.TrimPrefix(name, ".")
	for at := 0; ; {
		paren := strings.IndexByte(name[at:], '(')
		if paren < 0 {
			return name
		}
		paren += at
		switch {
		case strings.HasPrefix(name[paren:], "(anonymous namespace)"):
			at = paren + len("(anonymous namespace)")
		case paren >= at+len("operator") && strings.HasSuffix(name[:paren], "operator") &&
			strings.HasPrefix(name[paren:], "()"):
			at = paren + len("()")
		default:
			return name[:paren]
		}
	}
}
