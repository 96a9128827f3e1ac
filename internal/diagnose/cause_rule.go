package diagnose

import (
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

// ruleFor returns the rule for what a line allocates itself.
func (e *Evidence) ruleFor(s *Site, a source.Allocation, w Weight) string {
	switch a.Kind {
	case source.BytesToString, source.StringToBytes:
		return ruleConversion
	case source.Concat:
		return ruleConcat
	case source.Append:
		switch {
		case a.Outlives && e.stays(s):
			return ruleGrowth
		case !a.Sized:
			return ruleAppend
		}
		return ofBytes(a, w)
	case source.MapInsert:
		switch {
		case a.Outlives && e.stays(s):
			return ruleGrowth
		case !a.Sized:
			return ruleMapSize
		}
		return ruleArena
	case source.MakeMap:
		if !a.Sized && e.filled(s) {
			return ruleMapSize
		}
		return ruleArena
	case source.MakeSlice:
		return ofBytes(a, w)
	case source.Boxing:
		if e.formats(s) {
			return ruleFormatting
		}
		return ruleBoxing
	case source.Closure, source.MethodValue, source.Go, source.Defer:
		return ruleClosure
	case source.New:
		if isBuffer(a.Type) {
			return ruleBuffer
		}
		if strings.HasPrefix(a.Text, "variable ") && e.formats(s) {
			return ruleFormatting
		}
	}
	return ruleArena
}

// ofBytes tells buffers from objects: bytes, or some memory at a time that
// holds no pointers worth an arena.
func ofBytes(a source.Allocation, w Weight) string {
	if strings.HasSuffix(a.Type, "]byte") || a.Type == "" && w.Alloc.Objects > 0 && w.Alloc.Bytes/w.Alloc.Objects >= 1024 {
		return ruleBuffer
	}
	return ruleArena
}

func isBuffer(t string) bool {
	switch strings.TrimPrefix(t, "*") {
	case "bytes.Buffer", "strings.Builder", "bufio.Reader", "bufio.Writer":
		return true
	}
	return strings.HasSuffix(t, "]byte")
}

// formats says whether the line calls a function that formats: what it boxes
// goes there.
func (e *Evidence) formats(s *Site) bool {
	for _, a := range e.Source.Allocations(s.File, s.Line) {
		if rule, _ := libraryRule([]string{a.Callee}); a.Callee != "" && rule == ruleFormatting {
			return true
		}
	}
	return false
}

// filled says whether the site's function inserts into a map in a loop.
func (e *Evidence) filled(s *Site) bool {
	for _, a := range e.Source.Within(s.File, s.Line) {
		if a.Kind == source.MapInsert && a.InLoop && a.Made.Line == s.Line {
			return true
		}
	}
	return false
}
