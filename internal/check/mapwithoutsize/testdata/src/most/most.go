// Package most fills maps in which keys may occur twice.
package most

import "strings"

// An element may occur twice.
func elements(names []string) map[string]bool {
	out := make(map[string]bool)
	for _, name := range names {
		out[name] = true // want `to at most a size`
	}
	return out
}

func changed(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		k = strings.ToLower(k)
		out[k] = v // want `to at most a size`
	}
	return out
}

func derived(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		out[strings.ToLower(k)] = v // want `to at most a size`
	}
	return out
}

func outer(m map[string]int) map[string]int {
	out := make(map[string]int)
	var k string
	for k = range m {
		out[k] = 1 // want `to at most a size`
	}
	return out
}
