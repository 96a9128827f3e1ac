package rules

import (
	"fmt"
	"strings"
	"testing"
)

const treeBenchmark = `package main

import "testing"

func BenchmarkSize(b *testing.B) {
	n := build(9)
	for range b.N {
		size(n)
		build(3)
	}
}

func BenchmarkAll(b *testing.B) { build(2) }
`

// A benchmark's set-up is not the program's work. It is told by the measured loop,
// which does not call it.
func TestSetUpRanksLast(t *testing.T) {
	for _, c := range []struct {
		name   string
		paths  []string // texts of lines in a benchmark
		setsUp bool
	}{
		{"before the loop", []string{"n := build(9)"}, true},
		{"in the loop", []string{"\t\tbuild(3)"}, false},
		{"both", []string{"n := build(9)", "\t\tbuild(3)"}, false},
		{"with the loop elsewhere", []string{"build(2)"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, trees)
			s.tests = treeBenchmark
			for _, text := range c.paths {
				before, _, _ := strings.Cut(treeBenchmark, text)
				name := "BenchmarkSize"
				if text == "build(2)" {
					name = "BenchmarkAll"
				}
				frame := fmt.Sprintf("ex.com/x.%s@ex.com/x/main_test.go:%d testing.(*B).runN@/go/src/testing/benchmark.go:1 ", name, 1+strings.Count(before, "\n"))
				s.churn("runtime.newobject", s.frame("build", "return &node")+frame)
			}
			for _, f := range s.find() {
				if f.Function == "main.build" && f.Start != c.setsUp {
					t.Errorf("%s:%d sets up: %t", f.File, f.Line, f.Start)
				}
			}
		})
	}
}
