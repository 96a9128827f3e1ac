// Render writes pages through buffers of a pool; a few pages are very large.
package main

import (
	"bytes"
	"flag"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// page writes a page of n rows.
func page(w io.Writer, n int) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	for range n {
		buf.WriteString("<tr><td>one</td><td>two</td></tr>\n")
	}
	_, err := w.Write(buf.Bytes())
	return err
}

// slow is the connection of a client that reads slowly.
type slow struct{}

func (slow) Write(b []byte) (int, error) {
	time.Sleep(40 * time.Millisecond)
	return len(b), nil
}

func client(id int) {
	for i := 0; ; i++ {
		rows := 40
		if (i*7+id)%60 == 0 {
			rows = 60_000 // the export of everything
		}
		if err := page(slow{}, rows); err != nil {
			log.Print(err)
		}
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	for id := range 48 {
		go client(id)
	}
	log.Fatal(http.ListenAndServe(*addr, nil))
}
