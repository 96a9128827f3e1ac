package main

import (
	"fmt"
	"io"
	"os"

	"github.com/heapwright/heapwright/internal/input"
)

// maxFile is the size in bytes of the longest comment that GitHub takes: 65,536
// characters of up to four bytes.
const maxFile = 4 * 65_536

// read reads the comment. Code of the request may have put a link in its place, and a
// link to /proc/self/environ would publish the token.
func read(name string) ([]byte, error) {
	named, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !named.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a link, a folder or a device; name the regular file that heapwright gate -markdown wrote", name)
	}
	f, err := input.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(named, opened) {
		return nil, fmt.Errorf("%s was replaced while it was opened; run the gate again", name)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes, the longest comment; name the file that heapwright gate -markdown wrote", name, maxFile)
	}
	return text, err
}
