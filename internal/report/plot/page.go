package plot

import (
	_ "embed"
	"html/template"
)

//go:embed plot.css
var style string

//go:embed symbols.svg
var symbols template.HTML

// Style is the figures' part of a page's style.
func Style() string { return style }

// Symbols are the shapes that the figures refer to, one for each verdict, so that
// colour is never the only sign. A page holds them once.
func Symbols() template.HTML { return symbols }
