// Package pool is a pair for the rule on buffers that are made per request:
// pages are rendered and written out in one piece. Before, each has a buffer
// of its own; after, buffers come from a pool.
package pool

import (
	"bytes"
	"html"
	"io"
	"strconv"
	"sync"
)

type item struct {
	name  string
	price int
}

// pageSize has room for most pages.
const pageSize = 16 << 10

func before(w io.Writer, items []item) error {
	page := bytes.NewBuffer(make([]byte, 0, pageSize)) // want: request-buffer
	render(page, items)
	_, err := w.Write(page.Bytes())
	return err
}

var pages = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, pageSize)) }}

func after(w io.Writer, items []item) error {
	page := pages.Get().(*bytes.Buffer)
	defer pages.Put(page)
	page.Reset()
	render(page, items)
	_, err := w.Write(page.Bytes())
	return err
}

func render(page *bytes.Buffer, items []item) {
	page.WriteString("<table>\n")
	for _, it := range items {
		page.WriteString("<tr><td>")
		page.WriteString(html.EscapeString(it.name))
		page.WriteString("<td>")
		page.Write(strconv.AppendInt(page.AvailableBuffer(), int64(it.price), 10))
		page.WriteString("</tr>\n")
	}
	page.WriteString("</table>\n")
}
