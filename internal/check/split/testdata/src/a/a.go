package a

import (
	"bytes"
	"strings"
)

func words(line string, count map[string]int) {
	for _, word := range strings.Fields(line) { // want `the slice of parts lives for one loop: range over an iterator`
		count[word]++
	}
}

func named(line string) (n int) {
	parts := strings.Split(line, ",") // want `lives for one loop`
	for _, p := range parts {
		n += len(p)
	}
	return n
}

func indexed(line string) (n int) {
	for i, p := range strings.Split(line, ",") {
		n += i * len(p)
	}
	return n
}

func kept(line string) []string {
	parts := strings.Split(line, ",")
	for _, p := range parts {
		println(p)
	}
	return parts
}

// The loop may write to what is not split yet.
func changed(line []byte) {
	for _, p := range bytes.Split(line, []byte(",")) {
		p[0] = ','
		line[len(line)-1] = ','
	}
}
