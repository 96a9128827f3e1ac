package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
)

const inserts = `package main

func index(rows []int) map[int]int {
	m := make(map[int]int)
	for i, r := range rows {
		m[r] = i
	}
	return m
}

func sized(rows []int) map[int]int {
	m := make(map[int]int, len(rows))
	for i, r := range rows {
		m[r] = i + 1
	}
	return m
}

func merge(m map[int]int, rows []int) map[int]int {
	if m == nil {
		m = make(map[int]int, len(rows))
	}
	for i, r := range rows {
		m[r] = i + 2
	}
	return m
}

type series struct{ labels map[string]string }

func parse(tags []string) *series {
	s := &series{labels: make(map[string]string, len(tags))}
	for _, tag := range tags {
		s.labels[tag] = tag
	}
	return s
}

type dict map[string]int

func (d dict) set(key string, value int) {
	d[key] = value
}

func main() {}
`

func TestMapWithoutSize(t *testing.T) {
	t.Run("without a size", func(t *testing.T) {
		s := newScene(t, inserts)
		s.churn("runtime.mapassign_fast64", s.frame("index", "m[r] = i"))
		f := s.wants("map-without-size", "m[r] = i")
		has(t, f.Remedy, "main.go:4")
		has(t, f.Patch, "+\tm := make(map[int]int, len(rows))")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, inserts).without()
		s.churn("runtime.mapassign_fast64", s.frame("index", "m[r] = i"))
		f := s.wants("map-without-size", "m[r] = i")
		has(t, f.Remedy, "Make the map with the number of entries")
	})
	t.Run("that is made elsewhere", func(t *testing.T) {
		s := newScene(t, inserts)
		s.churn("runtime.mapassign_faststr", s.frame("dict.set", "d[key] = value"))
		f := s.wants("map-without-size", "d[key] = value")
		has(t, f.Remedy, "Find where d is made")
		if f.CPU.Low > 0 || f.Confidence != evidence.Medium {
			t.Errorf("saves %v of CPU, confidence %s", f.CPU, f.Confidence)
		}
	})
	t.Run("that is a parameter, made only where it is nil", func(t *testing.T) {
		s := newScene(t, inserts)
		s.churn("runtime.mapassign_fast64", s.frame("merge", "m[r] = i + 2"))
		f := s.wants("map-without-size", "m[r] = i + 2")
		has(t, f.Remedy, "Find where m is made")
	})
	t.Run("with a size", func(t *testing.T) {
		s := newScene(t, inserts)
		s.churn("runtime.mapassign_fast64", s.frame("sized", "m[r] = i + 1"))
		s.wantsNone("map-without-size")
	})
	t.Run("with a size in the literal around it", func(t *testing.T) {
		s := newScene(t, inserts)
		s.churn("runtime.mapassign_faststr", s.frame("parse", "s.labels[tag] = tag"))
		s.wantsNone("map-without-size")
	})
}
