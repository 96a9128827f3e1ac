// Leaks searches the files of repositories for secrets, and keeps the latest findings.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"regexp"
	"time"
)

var secret = regexp.MustCompile(`key-([0-9a-f]{16})`)

// finding is a secret and where it stands.
type finding struct {
	file   int
	match  string
	secret string
}

type report struct {
	latest [700]finding
	found  int
}

// scan searches a file.
func (r *report) scan(file int, content []byte) {
	raw := string(content)
	for _, m := range secret.FindAllStringSubmatch(raw, -1) {
		r.latest[r.found%len(r.latest)] = finding{file, m[0], m[1]}
		r.found++
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		r := new(report)
		filler := bytes.Repeat([]byte("func add(a, b int) int { return a + b }\n"), 2000)
		for file := 0; ; file++ {
			r.scan(file, fmt.Appendf(filler[:len(filler):len(filler)], "key-%016x\n", file))
			time.Sleep(5 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
