package termtext

import (
	"os"

	"golang.org/x/term"
)

// Style is how text is set. The zero value is 100 columns without colour.
type Style struct {
	Columns int // the terminal's; 80 to 120 are used, 0 means 100
	Color   bool
}

// StyleOf returns the style that suits f: the terminal's width, and colour
// where f is a terminal and NO_COLOR (no-color.org) is not set.
func StyleOf(f *os.File) Style {
	if !IsTerminal(f) {
		return Style{}
	}
	columns, _, _ := term.GetSize(int(f.Fd()))
	return Style{Columns: columns, Color: os.Getenv("NO_COLOR") == ""}
}

// Width returns the number of columns to use.
func (s Style) Width() int {
	if s.Columns == 0 {
		return 100
	}
	return max(80, min(s.Columns, 120))
}

// Paint sets text in a colour of the terminal's palette.
func (s Style) Paint(color, text string) string {
	if !s.Color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// The colours of a terminal's palette that Paint takes.
const (
	Bold      = "1"
	Dim       = "2"
	Red       = "31"
	Green     = "32"
	Yellow    = "33"
	BoldGreen = "1;32"
)

// IsTerminal reports whether f is a terminal with room to draw on: some
// continuous-integration systems have one of no size.
func IsTerminal(f *os.File) bool {
	columns, rows, err := term.GetSize(int(f.Fd()))
	return err == nil && columns > 0 && rows > 0 && os.Getenv("TERM") != "dumb"
}
