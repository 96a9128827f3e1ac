package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const wideRows = `package main

type row struct {
	id    int
	cells [40]int
}

func sum(rows []row) (all int) {
	for _, r := range rows {
		all += r.id
	}
	return all
}

func refer(rows []*row) (all int) {
	for _, r := range rows {
		all += r.id
	}
	return all
}

func show(r row) int { return r.cells[r.id] }

func visit(rows []row) (all int) {
	for i := range rows {
		all += show(rows[i])
	}
	return all
}

func main() {}
`

func TestLargeCopy(t *testing.T) {
	for _, test := range []struct {
		name, below, function, line, title, remedy string
	}{
		{"in a loop", "", "sum", "_, r := range rows {\n\t\tall += r.id", "for … r := range rows copies " +
			"values of 328 B each", "take a pointer to the element"},
		{"by the runtime", "runtime.duffcopy@/go/src/runtime/duff.s:9 ", "visit", "show(rows[i])", "show(…) copies values of 328 B each", "Let the function take a pointer"},
		{"a pointer", "", "refer", "for _, r := range rows {\n\t\tall += r.id\n\t}\n\treturn " +
			"all\n}\n\nfunc show", "", ""},
		{"cheap", "", "visit", "for i := range rows", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newScene(t, wideRows)
			s.cpu = profiletest.NewCPU().CPU(60, test.below+s.frame(test.function, test.line)+start).CPU(40, start)
			if test.title == "" {
				s.wantsNone("large-copy")
				return
			}
			f := s.wants("large-copy", test.line)
			has(t, f.Title, test.title)
			has(t, f.Remedy, test.remedy)
			if f.CPU.High > 0.61 || f.CPU.Low > 0.2 {
				t.Errorf("%+v", f.CPU)
			}
		})
	}
	t.Run("a little", func(t *testing.T) {
		s := newScene(t, wideRows)
		s.cpu = profiletest.NewCPU().CPU(5, s.frame("sum", "for _, r := range rows {\n\t\tall += r.id")+start).CPU(95, start)
		s.wantsNone("large-copy")
	})
}
