package main

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"strings"
)

//go:embed style.css
var style string

// drawing collects the elements of an SVG file, 960 units wide. Its colours are
// classes of style.css, which has a light and a dark set.
type drawing struct {
	elements strings.Builder
	height   float64
}

const width = 960

// svg returns the file. The title is read to those who cannot see the picture.
func (d *drawing) svg(title string) string {
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %g\" role=\"img\">\n<title>%s</title>\n<style>\n%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%g\"/>\n%s</svg>\n",
		width, d.height, escaped(title), escaped(style), width, d.height, d.elements.String())
}

func (d *drawing) add(format string, args ...any) {
	fmt.Fprintf(&d.elements, format+"\n", args...)
}

// text writes text with its baseline at y. Its anchor is start, middle or end.
func (d *drawing) text(x, y float64, class, anchor, text string) {
	d.add(`<text class="%s" x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, class, x, y, anchor, escaped(text))
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	d.add(`<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

func (d *drawing) rect(x, y, w, h float64, class string) {
	d.add(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3"/>`, class, x, y, w, h)
}

func (d *drawing) dot(x, y float64, class string) {
	d.add(`<circle class="%s" cx="%.1f" cy="%.1f" r="6"/>`, class, x, y)
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	return b.String()
}
