package rules

import "testing"

const sums = `package main

func join(parts []string) string {
	all := ""
	for _, p := range parts {
		all += p
	}
	return all
}

func slashed(path string) string { return path + "/" }

func main() {}
`

func TestStringConcatenation(t *testing.T) {
	t.Run("in a loop", func(t *testing.T) {
		s := newScene(t, sums)
		s.churn("runtime.concatstring2", s.frame("join", "all += p"))
		has(t, s.wants("string-concatenation", "all += p").Title, "in a loop: all")
	})
	t.Run("once", func(t *testing.T) {
		s := newScene(t, sums)
		s.churn("runtime.concatstring2", s.frame("slashed", `path + "/"`))
		has(t, s.wants("string-concatenation", `path + "/"`).Remedy, "A strings.Builder saves nothing here")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, sums).without()
		s.churn("runtime.concatstring2", s.frame("join", "all += p"))
		s.wants("string-concatenation", "all += p")
	})
}
