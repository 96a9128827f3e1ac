package view

import (
	"io"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/versus"
)

// Versions writes the page of two versions that ran side by side.
func Versions(w io.Writer, c *serve.SideBySide) error {
	return page.ExecuteTemplate(w, "versions.html", c)
}

// column is one comparison with its title.
type column struct {
	*versus.Comparison
	Title string
}

func columns(c *serve.SideBySide) (all []column) {
	for _, one := range []column{{c.CPU, "CPU time"}, {c.Bytes, "Allocated bytes"}} {
		if one.Comparison != nil {
			all = append(all, one)
		}
	}
	return all
}

// change writes an effect with its interval: "+3.1% [+2.0%, +4.2%]".
func change(c *versus.Change) string {
	return format.Change(1+c.Effect()) + " " + format.Interval(1+c.Low, 1+c.High)
}

// sideBySide is the address of the comparison of the newest version in a window.
func sideBySide(w serve.Window) string {
	w.Version = ""
	return address("versions", w)
}

// compared is the address of the comparison that a regression is from.
func compared(r serve.Regression) string {
	w := serve.Window{Service: r.Service, From: r.From.Add(-serve.WarmUp), To: r.To, Version: r.After}
	return address("versions", w, "base-version", r.Before)
}
