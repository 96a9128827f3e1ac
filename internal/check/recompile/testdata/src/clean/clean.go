package clean

import (
	"regexp"
	"sync"
	"text/template"
)

var global = regexp.MustCompile("a")

var lazy = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("b") })

var (
	guard sync.Once
	late  *regexp.Regexp
)

func init() { late = regexp.MustCompile("c") }

func guarded() {
	guard.Do(func() {
		re := regexp.MustCompile("d")
		late = re
	})
}

func assigned() {
	if late == nil {
		late = regexp.MustCompile("e")
	}
}

func variable(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

func joined(s string) *regexp.Regexp { return regexp.MustCompile("^" + s) }

func more(t *template.Template) { t.Parse("{{.}}") }

func clone(t *template.Template) {
	c, _ := t.Clone()
	c.Parse("{{.}}")
}

func own(f template.FuncMap) (*template.Template, error) {
	return template.New("x").Funcs(f).Parse("{{.}}")
}

func quote(s string) string { return regexp.QuoteMeta("x") }
