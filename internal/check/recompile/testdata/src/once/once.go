// Package once makes other values of constants than patterns.
package once

import (
	"io"
	"regexp"
	"strings"
	"text/template"
	"time"
)

func escape(s string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(s) // want `each call builds the constant replacer: do it once`
}

// It panics, and is to go on with that.
func odd(s string) string {
	return strings.NewReplacer("<", "&lt;", ">").Replace(s) // want `constant replacer`
}

func pairs(old, s string) string {
	return strings.NewReplacer(old, "").Replace(s)
}

func local(t time.Time) (time.Time, error) {
	berlin, err := time.LoadLocation("Europe/Berlin") // want `each call loads the same time zone: do it once`
	if err != nil {
		return t, err
	}
	return t.In(berlin), nil
}

func utc(t time.Time) time.Time {
	zone, _ := time.LoadLocation("UTC")
	return t.In(zone)
}

func find(s string) (string, error) {
	re, err := regexp.Compile("[a-z]+") // want `constant pattern`
	if err != nil {
		return "", err
	}
	return re.FindString(s), nil
}

func greet(w io.Writer, name string) error {
	t := template.Must(template.New("greeting").Parse("Hello {{.}}")) // want `constant template`
	return t.Execute(w, name)
}

func part(w io.Writer, name string) error {
	return template.Must(template.New("greeting").Parse("Hello {{.}}")).Execute(w, name) // want `constant template`
}

// The template is changed, so calls cannot share one.
func changed(w io.Writer, name string) error {
	t := template.Must(template.New("greeting").Parse("Hello {{.}}")) // want `constant template`
	t.Option("missingkey=error")
	return t.Execute(w, name)
}

func handed(name string) *template.Template {
	t := template.Must(template.New("greeting").Parse("Hello {{.}}")) // want `constant template`
	return t
}
