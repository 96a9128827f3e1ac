package most

import (
	"maps"
	"slices"
	"strings"
)

func attributes(line string) map[string]string {
	out := make(map[string]string)
	for pair := range strings.SplitSeq(line, ";") {
		k, v, _ := strings.Cut(pair, "=")
		out[k] = v // want `to at most a size`
	}
	return out
}

func keys(m map[string]int) map[string]bool {
	out := map[string]bool{}
	for k := range maps.Keys(m) {
		out[k] = true // want `to at most a size`
	}
	return out
}

func values(names []string) map[string]bool {
	out := map[string]bool{}
	for name := range slices.Values(names) {
		out[name] = true // want `to at most a size`
	}
	return out
}

func apart(names []string) (map[string]bool, []string) {
	out := make(map[string]bool)
	var all []string
	for _, name := range names {
		out[name] = true // want `to at most a size`
		all = append(all, name)
	}
	return out, all
}

// Without a fix: the statement between changes the length.
func changedBefore(names []string) map[string]bool {
	out := make(map[string]bool)
	names = append(names, "")
	for _, name := range names {
		out[name] = true // want `to at most a size`
	}
	return out
}

// Without a fix: the statement between may change the length.
func field(t *struct{ names []string }, f func()) map[string]bool {
	out := make(map[string]bool)
	f()
	for _, name := range t.names {
		out[name] = true // want `to at most a size`
	}
	return out
}

// Not reported: the number of parts is not known.
func separator(line, sep string) map[string]bool {
	out := make(map[string]bool)
	for part := range strings.SplitSeq(line, sep) {
		out[part] = true
	}
	return out
}
