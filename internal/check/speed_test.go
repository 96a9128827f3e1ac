package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// shapes are packages in which all functions, or the statements of one, are related.
// Each returns n of them below the head of the file.
var shapes = []struct {
	name, before, each, after string
}{
	{"functions", "", `
func (t *T) M%[1]d(n int) string {
	b := pool.Get().(*bytes.Buffer)
	b.Reset()
	var out []int
	for i := range n {
		out = append(out, i)
	}
	b.WriteString(fmt.Sprintf("%%d", n))
	s := b.String()
	pool.Put(b)
	return s + F%[1]d(t, func() int { return len(out) })
}

func F%[1]d(t *T, f func() int) string { return t.M%[1]d(f()) }
`, ""},
	{"helpers", "", `
func put%[1]d(b *bytes.Buffer) { put%[2]d(b) }

func get%[1]d() *bytes.Buffer { return get%[2]d() }

func user%[1]d() { b := get%[1]d(); b.Reset(); put%[1]d(b) }
`, `
func put%[1]d(b *bytes.Buffer) { pool.Put(b) }

func get%[1]d() *bytes.Buffer { return pool.Get().(*bytes.Buffer) }
`},
	{"pools", "", `
var pool%[1]d sync.Pool

type T%[1]d struct{ buf *bytes.Buffer }

func (t *T%[1]d) Open()  { t.buf = pool%[1]d.Get().(*bytes.Buffer) }
func (t *T%[1]d) Close() { pool%[1]d.Put(t.buf) }
`, ""},
	{"closures", "func F(n int) (all []func() int) {", `
	all = append(all, func() int { b := pool.Get().(*bytes.Buffer); defer pool.Put(b); return b.Len() + n + %[1]d })`, "\nreturn all\n}\n"},
	{"statements", "func F(n int, all []int) {\nfor range n {", `
	var s%[1]d []int
	for _, x := range all {
		s%[1]d = append(s%[1]d, x)
	}
	fmt.Println(fmt.Sprintf("%%d", len(s%[1]d)))`, "\n}\n}\n"},
}

// BenchmarkShapes checks packages of two sizes. The time for each function or statement
// should not depend on the size.
func BenchmarkShapes(b *testing.B) {
	for _, shape := range shapes {
		for _, n := range []int{500, 4000} {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) {
				var text strings.Builder
				text.WriteString("package p\n\nimport (\n\"bytes\"\n\"fmt\"\n\"sync\"\n)\n\nvar (\n_ = fmt.Sprint\npool sync.Pool\n)\n\ntype T struct{ b bytes.Buffer }\n" + shape.before)
				for i := range n {
					text.WriteString(sprintf(shape.each, i, i+1))
				}
				text.WriteString(sprintf(shape.after, n))
				var all time.Duration
				for b.Loop() {
					all += checked(b, text.String())
				}
				b.ReportMetric(float64(all.Microseconds())/float64(b.N*n), "µs/each")
			})
		}
	}
}

// sprintf ignores operands that a format does not use.
func sprintf(format string, operands ...any) string {
	text, _, _ := strings.Cut(fmt.Sprintf(format, operands...), "%!(EXTRA")
	return text
}

// checked returns the time that all checks take on a package, without its imports.
func checked(b *testing.B, text string) (sum time.Duration) {
	dir := b.TempDir()
	for name, text := range map[string]string{"go.mod": "module p.example/p\n\ngo 1.26\n", "p.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil || len(loaded[0].Errors) > 0 {
		b.Fatal(err, loaded)
	}
	var analyzers []*analysis.Analyzer
	for _, c := range Checks {
		analyzers = append(analyzers, c.Analyzer)
	}
	graph, err := checker.Analyze(analyzers, loaded, &checker.Options{Sequential: true})
	if err != nil {
		b.Fatal(err)
	}
	for a := range graph.All() {
		if a.Err != nil {
			b.Fatal(a.Err)
		}
		if slices.Contains(loaded, a.Package) {
			sum += a.Duration
		}
	}
	return sum
}
