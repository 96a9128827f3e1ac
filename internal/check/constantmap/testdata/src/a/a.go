// Package a builds maps of constants.
package a

import "sync"

func isVowel(r rune) bool {
	vowels := map[rune]bool{'a': true, 'e': true, 'i': true} // want `each call builds the same map: build it once, in a variable of the package`
	return vowels[r]
}

type unit struct {
	name  string
	bytes int
}

// Size has a comment, which stays with it.
func Size(suffix string) (unit, bool) {
	u, ok := map[string]unit{ // want `builds the same map`
		"k": {"kilobyte", 1000},
		"M": {name: "megabyte", bytes: 1000 * 1000},
	}[suffix]
	return u, ok
}

func all() (n int) {
	var weights = map[string]int{"a": 1, "b": 2} // want `builds the same map`
	for _, w := range weights {
		n += w
	}
	return n * len(weights)
}

type codec struct{}

func (codec) Name(id int) string {
	for {
		names := map[int]string{1: "json", 2: "proto"} // want `builds the same map`
		if s, ok := names[id]; ok {
			return s
		}
		id--
	}
}

// The type is the function's own, and the name is not known outside of it.
func local(s string) int {
	type key string
	m := map[key]int{"a": 1, "b": 2} // want `builds the same map`
	return m[key(s)]
}

func written(s string) int {
	seen := map[string]int{"a": 1, "b": 2}
	seen[s]++
	return seen["a"]
}

func assigned(s string) int {
	seen := map[string]int{"a": 1, "b": 2}
	(seen[s]) = 1
	return seen["a"]
}

func cleared() int {
	m := map[string]int{"a": 1, "b": 2}
	clear(m)
	return len(m)
}

func handed() map[string]int {
	m := map[string]int{"a": 1, "b": 2}
	return m
}

func captured() func(string) int {
	m := map[string]int{"a": 1, "b": 2}
	return func(s string) int { return m[s] }
}

func replaced(s string) int {
	m := map[string]int{"a": 1, "b": 2}
	if s == "" {
		m = nil
	}
	return m[s]
}

func variable(n int) int {
	m := map[string]int{"a": n, "b": 2}
	return m["a"]
}

// The caller of one call could write to a slice that another one reads.
func slices(s string) []string {
	m := map[string][]string{"a": {"b"}, "b": {"c"}}
	return m[s]
}

func pointers(s string) *unit {
	m := map[string]*unit{"a": {"b", 1}, "b": {"c", 2}}
	return m[s]
}

func single(s string) bool { return map[string]bool{"a": true}[s] }

var once = sync.OnceValue(func() int {
	m := map[string]int{"a": 1, "b": 2}
	return m["a"]
})

func init() {
	m := map[string]int{"a": 1, "b": 2}
	println(m["a"])
}
