// Package overlay writes files for go build -overlay, which compiles them in the place of
// others.
package overlay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Files has the contents of files by the absolute paths at which the build finds them. For
// a nil content, the build finds no file.
type Files map[string][]byte

// Merge adds other files. It returns an error if both have the same path with different
// contents.
func (f Files) Merge(other Files) error {
	for _, path := range slices.Sorted(maps.Keys(other)) {
		if mine, ok := f[path]; ok && !bytes.Equal(mine, other[path]) {
			return fmt.Errorf("two overlays add %s; apply only one of them", path)
		}
		f[path] = other[path]
	}
	return nil
}

// Write makes a directory, writes the files into it and the JSON document for -overlay, and
// returns the path of the document. Names follow from contents. So the same overlay gives
// the same build, and several overlays can share the directory.
func (f Files) Write(dir string) (document string, err error) {
	dir, err = filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return "", fmt.Errorf("overlay: %w; name a directory that can be written", err)
	}
	replace := make(map[string]string, len(f))
	for path, content := range f {
		if content == nil {
			replace[path] = ""
			continue
		}
		file := filepath.Join(dir, digest(content)+"_"+filepath.Base(path))
		if err := writeOnce(file, content); err != nil {
			return "", err
		}
		replace[path] = file
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	document = filepath.Join(dir, digest(text)+".json")
	return document, writeOnce(document, text)
}

// Original returns a message of the go command in which the names that Write gave to files
// are replaced by the paths of the originals.
func (f Files) Original(message string) string {
	for path, content := range f {
		if written := digest(content) + "_" + filepath.Base(path); content != nil &&
			strings.Contains(message, written) {
			message = regexp.MustCompile(`[^\s:]*`+regexp.QuoteMeta(written)).ReplaceAllLiteralString(message, path)
		}
	}
	return message
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// writeOnce writes a file completely or not at all, because other builds may read it at the
// same time.
func writeOnce(file string, content []byte) error {
	if have, err := os.ReadFile(file); err == nil && bytes.Equal(have, content) {
		return nil
	}
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err == nil {
		defer os.Remove(temp.Name()) // fails once it is renamed
		_, err = temp.Write(content)
		if e := temp.Close(); err == nil {
			err = e
		}
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("overlay: %w; name a directory that can be written and has room", err)
	}
	return nil
}
