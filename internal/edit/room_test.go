package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/edit"
	"github.com/heapwright/heapwright/internal/source"
)

// Each body grows out in the line with "//". Its change, if any, type-checks.
func TestRoom(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a literal":             {"out := []int{}\nfor _, r := range rows {\nout = append(out, r) //\n}", "out := make([]int, 0, len(rows))"},
		"make":                  {"out := make([]int, 0)\nfor _, r := range rows {\nout = append(out, r) //\n}", "out := make([]int, 0, len(rows))"},
		"nil stays nil":         {"var out []int\nfor _, r := range rows {\nout = append(out, r) //\n}", "out = make([]int, 0, len(rows))"},
		"a map":                 {"out := map[int]int{}\nfor i, r := range rows {\nout[r] = i //\n}", "out := make(map[int]int, len(rows))"},
		"of a field":            {"out := map[int]int{}\nfor i, r := range s.rows {\nout[r] = i //\n}", "out := make(map[int]int, len(s.rows))"},
		"until a sentinel":      {"out := []int{}\nfor x := next(); x != EOF; x = next() {\nout = append(out, x) //\n}", ""},
		"a field":               {"for _, r := range rows {\ns.rows = append(s.rows, r) //\n}\nout := 0", ""},
		"a size that calls":     {"out := []int{}\nfor _, r := range all() {\nout = append(out, r) //\n}", ""},
		"a filter":              {"out := []int{}\nfor _, r := range rows {\nif r > 0 {\nout = append(out, r) //\n}\n}", ""},
		"break":                 {"out := []int{}\nfor _, r := range rows {\nif r > 9 {\nbreak\n}\nout = append(out, r) //\n}", ""},
		"continue":              {"out := []int{}\nfor _, r := range rows {\nif r > 9 {\ncontinue\n}\nout = append(out, r) //\n}", ""},
		"a parameter":           {"for _, r := range rows {\nparam = append(param, r) //\n}\nout := 0", ""},
		"declared later":        {"out := []int{}\nlater := all()\nfor _, r := range later {\nout = append(out, r) //\n}", ""},
		"changed in between":    {"out := []int{}\nrows = rows[1:]\nfor _, r := range rows {\nout = append(out, r) //\n}", ""},
		"len is something else": {"len := 1\nout := []int{}\nfor _, r := range rows {\nout = append(out, r+len) //\n}", ""},
		"a loop around it":      {"out := []int{}\nfor range rows {\nfor _, r := range rows {\nout = append(out, r) //\n}\n}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "package x\n\nconst EOF = 0\n\nfunc next() int { return 0 }\n\nfunc all() []int { return nil }\n\ntype store struct{ rows []int }\n\nfunc f(s *store, rows, param []int) {\n" + c.body + "\n_ = out\n}\n"
			dir := t.TempDir()
			file := filepath.Join(dir, "x.go")
			for name, text := range map[string]string{"x.go": text, "go.mod": "module ex.com/x\n\ngo 1.22\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			x, err := source.Open(t.Context(), source.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			before, after, _ := strings.Cut(text, " //")
			if err := x.Study(t.Context(), []source.Place{{Function: "ex.com/x.f", File: file, Line: 12}}); err != nil {
				t.Fatal(err)
			}
			_ = after
			p, err := edit.Open(x, file)
			if err != nil {
				t.Fatal(err)
			}
			line := before[strings.LastIndexByte(before, '\n')+1:]
			column := 1 + strings.Index(line, "append(") + len("append")
			if !strings.Contains(line, "append(") {
				column = 1 + strings.IndexByte(line, '[')
			}
			edits := p.Room(file, strings.Count(before, "\n")+1, column)
			if (len(edits) > 0) != (c.want != "") {
				t.Fatalf("edits %v, want %q", edits, c.want)
			}
			if c.want == "" {
				return
			}
			if err := p.Check(edits); err != nil {
				t.Error(err)
			}
			if got := p.Render(edits); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "diff a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n") {
				t.Errorf("%s", got)
			}
		})
	}
}
