// Every step of a request allocates a little and keeps nothing: the heap is tiny and always being collected.
package main

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

// want program: frequent-gc
type request struct {
	raw  []byte
	user string
	tags []string
}

type answer struct {
	key, stamp string
	lengths    map[string]int
	body       []byte
	*request
}

func parse(raw []byte) *request {
	head, rest, _ := bytes.Cut(raw, []byte{' '})
	return &request{bytes.ToUpper(raw), string(head), strings.Fields(string(rest))}
}

func handle(r *request, at time.Time) *answer {
	a := &answer{request: r, stamp: at.Format(time.RFC1123)}
	a.key = r.user + "/" + a.stamp
	a.lengths = make(map[string]int, 8)
	for _, tag := range r.tags {
		a.lengths[strings.Repeat(tag, 2)] += len(tag)
	}
	a.body = make([]byte, 0, 256)
	for tag, n := range a.lengths {
		a.body = append(a.body, tag...)
		a.body = append(a.body, strconv.Itoa(n*100)...)
	}
	return a
}

var last *answer

func main() {
	raw := []byte("somebody-with-a-name and some tags of various lengths to be counted")
	at := time.Unix(1e9, 0)
	harness.Run(func() { last = handle(parse(raw), at) })
}
