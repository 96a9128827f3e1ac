package trace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Formats that the reader knows. The format changes less often than Go does:
// Go 1.24 writes the format of Go 1.23.
const (
	oldestFormat = 22
	newestFormat = 26
)

// headerSize is the length of "go 1.26 trace\x00\x00\x00" (internal/trace/version).
const headerSize = 16

// checkHeader names the kind of a file that is not a trace, or one of another version.
// It consumes nothing.
func checkHeader(in *bufio.Reader) (format string, err error) {
	head, err := in.Peek(headerSize)
	if len(head) < headerSize && err != nil && err != io.EOF {
		return "", err
	}
	version, isTrace := bytes.CutPrefix(head, []byte("go 1."))
	number, _, isTrace2 := strings.Cut(string(version), " trace\x00")
	minor, err := strconv.Atoi(number)
	switch {
	case len(head) == 0:
		return "", errors.New("it is empty; was the program killed before it stopped the trace?")
	case !isTrace || !isTrace2 || err != nil:
		return "", fmt.Errorf("not an execution trace, but %s", guess(head))
	case minor < oldestFormat:
		return "", fmt.Errorf("a trace in the format of Go 1.%d; traces of Go 1.22 and later can be read: record it with one of those, or use go tool trace", minor)
	case minor > newestFormat:
		return "", fmt.Errorf(
			"a trace in the format of Go 1.%d, which is newer than this program knows (Go 1.%d); update heapwright", minor, newestFormat)
	}
	return "go 1." + number, nil
}

// guess names the likely kind of a file by its beginning, and the remedy.
func guess(head []byte) string {
	text := strings.TrimSpace(string(head))
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "a gzip file; a pprof profile is read by heapwright diagnose and flame, a compressed trace has to be unpacked first"
	case strings.HasPrefix(text, "<"):
		return "a page of HTML or XML; check the URL and the login"
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
		return "JSON; convert nothing, name the file that runtime/trace wrote"
	case bytes.HasPrefix(head, []byte("\x7fELF")):
		return "a program; name the file that it writes with runtime/trace or -test.trace"
	case bytes.HasPrefix(head, []byte("go 1.")):
		return "the beginning of one, which breaks off in its header"
	}
	return "something else; name a file of runtime/trace, go test -trace or /debug/pprof/trace"
}
