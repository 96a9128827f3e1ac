// A handler that turns its text into bytes for every write.
package main

import (
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type page struct{ title, body string }

func (p *page) serve(w io.Writer) error {
	if _, err := io.WriteString(w, p.title); err != nil {
		return err
	}
	_, err := w.Write([]byte(p.body)) // want: string-conversion
	return err
}

func main() {
	var pages []page
	for _, word := range strings.Fields("one two three four five six") {
		pages = append(pages, page{word, strings.Repeat(word+" ", 200)})
	}
	harness.Run(func() {
		for i := range pages {
			if err := pages[i].serve(io.Discard); err != nil {
				panic(err)
			}
		}
	})
}
