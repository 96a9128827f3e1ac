// A line is logged for every request, whether anybody reads it or not.
package main

import (
	"io"
	"log"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type server struct {
	log    *log.Logger
	served int
}

func (s *server) handle(path string, size int) {
	s.served++
	s.log.Printf("served %s: %d bytes, %d in all", path, size, s.served) // want: formatting
}

func main() {
	s := &server{log: log.New(io.Discard, "", log.LstdFlags)}
	s.log.SetOutput(struct{ io.Writer }{io.Discard}) // not the writer that turns logging off
	paths := []string{"/", "/index.html", "/api/v1/items", "/favicon.ico"}
	harness.Run(func() {
		for i, p := range paths {
			s.handle(p, 1000*(i+len(p)))
		}
	})
}
