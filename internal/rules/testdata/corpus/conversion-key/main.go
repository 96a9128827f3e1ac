// Fields of a log line are turned into strings although they are only looked at.
package main

import (
	"bytes"
	"strconv"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type tally struct{ ok, failed, bytes int }

func (t *tally) add(line []byte) {
	fields := bytes.IndexByte(line, ' ')
	status := string(line[:fields]) // want: string-conversion
	if isError(status) {
		t.failed++
	} else {
		t.ok++
	}
	t.bytes += len(line)
}

//go:noinline
func isError(status string) bool { return len(status) > 40 && status[40] == '5' }

func main() {
	var lines [][]byte
	for i := range 1000 {
		lines = append(lines, []byte("2026-11-21T03:41:32.000000000Z GET /v1/"+strconv.Itoa(200+i%400)+"/items-and-more-to-read 200 12"))
		lines[i][30] = '/'
	}
	var t tally
	harness.Run(func() {
		for _, line := range lines {
			t.add(line)
		}
	})
}
