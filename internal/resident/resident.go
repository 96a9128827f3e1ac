// Package resident reads what the system holds in memory for a process, mapping by
// mapping: the Go heap, the C heap, stacks, the binary, mapped files.
//
// The stance: the kinds follow from what Linux writes into /proc/PID/smaps, and no more
// is claimed. A mapping without a name may be of C's allocator, of a library or of Go:
// only kernels with CONFIG_ANON_VMA_NAME show the names that Go gives ("[anon: Go: …]",
// since Go 1.25), and since Go 1.26 the heap does not begin at a fixed address
// (GOEXPERIMENT=randomizedheapbase64). How much of it is Go's, the runtime says.
package resident

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is a kind of memory.
type Kind string

// Kinds of mappings.
const (
	GoHeap    Kind = "Go heap"    // the kernel shows Go's names, or it is at the address of Go's first arena
	GoRuntime Kind = "Go runtime" // likewise: spans, bit maps, page summaries
	CHeap     Kind = "C heap"     // [heap], where malloc of C begins
	Anonymous Kind = "anonymous"  // without a name: Go, C's allocator, libraries, thread stacks
	Stack     Kind = "stack"      // the first thread's
	File      Kind = "file"       // mapped files, the binary and its libraries among them
)

// Mapping is the resident memory of the mappings of one kind and name.
type Mapping struct {
	Kind  Kind   `json:"kind"`
	Name  string `json:"name,omitempty"` // a file's name; "" for other kinds
	Bytes int64  `json:"bytes"`
}

// Memory is the resident memory of a process at a time.
type Memory struct {
	PID      int       `json:"pid"`
	Taken    time.Time `json:"taken"`
	Bytes    int64     `json:"bytes"`    // the sum of the mappings
	Mappings []Mapping `json:"mappings"` // the largest first
}

// Of returns the sum of the mappings of some kinds.
func (m *Memory) Of(kinds ...Kind) (bytes int64) {
	for _, x := range m.Mappings {
		for _, k := range kinds {
			if x.Kind == k {
				bytes += x.Bytes
			}
		}
	}
	return bytes
}

// Written returns the resident memory of all mappings except files: the part of it that
// the runtime does not account for is not Go's.
func (m *Memory) Written() int64 { return m.Bytes - m.Of(File) }

// Go's heap arenas begin at 0xc000000000 on 64-bit systems up to Go 1.25 (runtime/malloc.go).
const firstArena, lastArena = 0xc000000000, 0xe000000000

// maxMappings bounds the kinds and names that are kept; a process may map a million files.
const maxMappings = 4096

var errForm = errors.New("it is not as Linux writes smaps")

// Parse reads smaps. Mappings of equal kind and name are added up.
func Parse(r io.Reader) (*Memory, error) {
	// A header line begins a mapping, and the lines "Name: value" below it are its fields.
	m, index := &Memory{}, map[Mapping]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<10)
	var at Mapping
	known := false
	for n := 1; lines.Scan(); n++ {
		line := lines.Bytes()
		name, value, isField := bytes.Cut(line, []byte(":"))
		switch {
		case isField && !bytes.ContainsAny(name, " -"):
			if string(name) != "Rss" {
				continue
			}
			kib, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(value),
				[]byte("kB")))), 10, 64)
			if err != nil || !known || kib < 0 || kib > math.MaxInt64>>20 {
				return nil, fmt.Errorf("line %d: %w", n, errForm)
			}
			if kib == 0 {
				continue
			}

			// A process may map any number of files, so the others share an entry.
			i, ok := index[at]
			if !ok {
				if len(m.Mappings) >= maxMappings {
					at = Mapping{Kind: File, Name: "other files"}
				}
				if i, ok = index[at]; !ok {
					i = len(m.Mappings)
					m.Mappings = append(m.Mappings, at)
					index[at] = i
				}
			}
			m.Mappings[i].Bytes += kib << 10
			m.Bytes += kib << 10
		default:
			var err error
			if at, err = header(string(line)); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			known = true
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if !known {
		return nil, errForm
	}
	return m, nil
}

// header reads the line that begins a mapping: "c000000000-c000400000 rw-p 00000000
// 00:00 0    [anon: Go: heap]".
func header(line string) (Mapping, error) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return Mapping{}, errForm
	}
	from, _, ok := strings.Cut(fields[0], "-")
	start, err := strconv.ParseUint(from, 16, 64)
	if !ok || err != nil {
		return Mapping{}, errForm
	}
	name := ""
	if len(fields) > 5 {
		name = strings.Join(fields[5:], " ")
	}
	switch {
	case strings.HasPrefix(name, "[anon: Go: heap") || name == "" && firstArena <= start && start < lastArena:
		return Mapping{Kind: GoHeap}, nil
	case strings.HasPrefix(name, "[anon: Go:"):
		return Mapping{Kind: GoRuntime}, nil
	case name == "[heap]":
		return Mapping{Kind: CHeap}, nil
	case strings.HasPrefix(name, "[stack"):
		return Mapping{Kind: Stack}, nil
	case name == "" || strings.HasPrefix(name, "["):
		return Mapping{Kind: Anonymous}, nil
	}
	return Mapping{Kind: File, Name: name}, nil
}
