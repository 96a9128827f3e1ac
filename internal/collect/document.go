package collect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/input"
)

// Schema is the version of Document. It changes when a field changes its meaning
// or goes; a new field does not change it.
const Schema = "heapwright.collect/1"

// DocumentFile is the document of the last collection in a folder. Each
// collection's own remains beside it as SERVICE-result-TIME.json.
const DocumentFile = "result.json"

// NotKnown stands where a service does not say.
const NotKnown = "not known"

// Document holds one collection: where its files are, and the figures from them.
type Document struct {
	Schema   string    `json:"schema"`
	Tool     string    `json:"tool"` // version of heapwright
	Service  string    `json:"service"`
	URL      string    `json:"url"`
	Started  time.Time `json:"started"`
	Finished time.Time `json:"finished"`
	Stopped  string    `json:"stopped,omitempty"` // "interrupted": the rest is missing

	Files   []File    `json:"files"` // sorted by type, then by time
	Missing []Missing `json:"missing,omitempty"`

	Memory
	RSS *int64 `json:"rss_bytes,omitempty"` // resident at the end; nil where it is not known
	// Resident is the resident memory at the start, at times within the window and at the
	// end, as far as known.
	Resident []Resident `json:"resident,omitempty"`
	GC       *GC        `json:"gc,omitempty"` // nil without memstats in /debug/vars
	Build    Build      `json:"build"`
	Ceiling  *Ceiling   `json:"ceiling,omitempty"` // nil without samples of CPU
	Warnings []string   `json:"warnings,omitempty"`
}

// File is one file that was saved.
type File struct {
	Type   string           `json:"type"` // "heap", "allocs", "cpu", "goroutine", "goroutineleak", "mutex", "block", "trace", "vars", "flame"
	Path   string           `json:"path"` // relative to the document's folder
	URL    string           `json:"url,omitempty"`
	Taken  time.Time        `json:"taken"` // when it was asked for; of a recording, its start
	Bytes  int              `json:"bytes"`
	Totals map[string]int64 `json:"totals,omitempty"` // sample type → total in its unit
	// Live is the exact live heap after the collection that was asked for before a heap
	// profile, whose own figures are estimates from samples.
	Live int64 `json:"live_bytes,omitempty"`
}

// Asked reports whether the service collected garbage for this profile.
func (f *File) Asked() bool {
	return f.Type == heap.name && (f.Live > 0 || strings.Contains(f.URL, "gc=1"))
}

// Missing is a part that could not be had.
type Missing struct {
	Type   string `json:"type"`   // a file's, or "rss"
	Failed bool   `json:"failed"` // it should have been there
	Reason string `json:"reason"`
}

// Load reads a document that Run saved.
func Load(path string) (*Document, error) {
	data, err := input.ReadRegular(path, 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; name the %s in a folder that collect wrote", err, DocumentFile)
	}
	if err != nil {
		return nil, err
	}
	// The schema first: the fields of another version may have other types.
	var head struct{ Schema string }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w; collect again", path, err)
	}
	if head.Schema != Schema {
		return nil, fmt.Errorf("%s: schema %q, not %q; read it with the version of heapwright that wrote it",
			path, head.Schema, Schema)
	}
	doc := new(Document)
	if err := json.Unmarshal(data, doc); err != nil {
		return nil, fmt.Errorf("%s: damaged: %w; collect again", path, err)
	}
	return doc, nil
}

// Paths returns where the files of a type are, seen from where the document was
// loaded from: dir is its folder.
func (d *Document) Paths(dir, typ string) (paths []string) {
	for _, f := range d.Files {
		if f.Type == typ {
			paths = append(paths, filepath.Join(dir, f.Path))
		}
	}
	return paths
}
