// Package webpage holds the common parts of all HTML pages: the switch between light and
// dark, buttons that copy, the address that keeps the state, stacked bars, and the
// policy that lets a page load nothing.
//
// A page is one file that loads nothing. It begins its style with [Style] and its
// script with [Script], and its header has an element of the class "over".
package webpage

import (
	"embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed base.css
var style string

//go:embed base.js
var script string

// Style is the beginning of a page's style.
func Style() string { return style }

// Script is the beginning of a page's script.
func Script() string { return script }

// File returns an embedded file, which is a part of the binary.
func File(files embed.FS, name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// A Part is one piece of a stacked bar.
type Part struct {
	Name  string
	Value float64 // not negative, in any unit
	Label string  // the value as people read it
	Class string  // CSS class of its colour: fill and background
}

// Tone is the class of the n-th colour of a bar whose parts have none of their own.
func Tone(n int) string { return fmt.Sprintf("tone-%d", n%7) }

// Stack draws parts beside each other, in proportion to their values, with a
// legend below. It is "" where the values have no sum.
func Stack(parts []Part) template.HTML {
	whole := 0.0
	for _, p := range parts {
		whole += p.Value
	}
	if whole <= 0 {
		return ""
	}
	var bar, legend strings.Builder
	at := 0.0
	for _, p := range parts {
		if p.Value <= 0 {
			continue
		}
		width := 100 * p.Value / whole
		fmt.Fprintf(&bar, `<rect class="%s" x="%.2f%%" width="%.2f%%" height="100%%"/>`, p.Class, at, width)
		fmt.Fprintf(&legend, `<li><i class="%s"></i>%s <b>%s</b></li>`, p.Class, template.HTMLEscapeString(p.Name),
			template.HTMLEscapeString(p.Label))
		at += width
	}
	return template.HTML(`<div class="stack"><svg aria-hidden="true">` + bar.String() + `</svg><ul>` +
		legend.String() + `</ul></div>`)
}
