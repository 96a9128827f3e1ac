package a

import (
	html "html/template"
	"regexp"
	"strings"
	"text/template"
)

const word = "[a-z]+"

func direct(s string) bool {
	return regexp.MustCompile("^a$").MatchString(s) // want `each call compiles the constant pattern: do it once, in a variable of the package`
}

// Documented has a comment, which stays with it.
func Documented(s string) []string {
	re := regexp.MustCompile(`a+`) // want `constant pattern`
	return re.FindAllString(s, -1)
}

func named(s string) bool {
	re := regexp.MustCompile(word + "$") // want `constant pattern`
	return re.MatchString(s)
}

func twice(s string) bool {
	a := regexp.MustCompile("a") // want `constant pattern`
	b := regexp.MustCompile("b") // want `constant pattern`
	return a.MatchString(s) && b.MatchString(s)
}

type t struct{ re *regexp.Regexp }

func (t *t) method(s string) bool {
	return regexp.MustCompilePOSIX("a|b").MatchString(s) // want `constant pattern`
}

func (t *t) direct(s string) bool {
	return regexp.MustCompile("c").MatchString(s) // want `constant pattern`
}

func loop(all []string) (n int) {
	for _, s := range all {
		if regexp.MustCompile(".").MatchString(s) { // want `constant pattern`
			n++
		}
	}
	return n
}

func closure() func(string) bool {
	return func(s string) bool {
		return regexp.MustCompile("d").MatchString(s) // want `constant pattern`
	}
}

func generic[T ~string](s T) bool {
	return regexp.MustCompile("e").MatchString(string(s)) // want `constant pattern`
}

func withError(s string) (bool, error) {
	re, err := regexp.Compile("f") // want `constant pattern`
	if err != nil {
		return false, err
	}
	return re.MatchString(s), nil
}

func broken(s string) bool {
	return regexp.MustCompile("(").MatchString(s) // want `constant pattern`
}

func localConstant(s string) bool {
	const local = "g"
	return regexp.MustCompile(local).MatchString(s) // want `constant pattern`
}

var isTakenRegexp = 1

func isTaken(s string) bool {
	return regexp.MustCompile("h").MatchString(s) // want `constant pattern`
}

func argument(s string) string {
	return strings.Join(regexp.MustCompile(",").Split(s, -1), ";") // want `constant pattern`
}

func constructor() *t {
	return &t{re: regexp.MustCompile("i")} // want `constant pattern`
}

func switched(s string) bool {
	switch {
	case regexp.MustCompile("j").MatchString(s): // want `constant pattern`
		return true
	}
	return false
}

func text() *template.Template {
	return template.Must(template.New("x").Parse("{{.}}")) // want `constant template`
}

func page() (*html.Template, error) {
	return html.New("x").Parse("<p>{{.}}") // want `constant template`
}

var functions = template.FuncMap{}

func withFunctions() *template.Template {
	return template.Must(template.New("x").Funcs(functions).Parse("{{.}}")) // want `constant template`
}
