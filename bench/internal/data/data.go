// Package data reads the data files of the programs of bench: archives of texts
// (txtar), tables (TSV) and headers of lines "key: value".
//
// The stance: the files are compiled into the programs, so a fault in one is a fault of
// the program, and panics.
package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Archive reads an archive.
func Archive(in fs.FS, name string) *txtar.Archive {
	text, err := fs.ReadFile(in, name)
	if err != nil {
		panic(err)
	}
	return txtar.Parse(text)
}

// Unpack writes the files of the archive in a file to a folder.
func Unpack(file, dir string) error {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return err
	}
	return Write(a.Files, dir)
}

// Write writes files to a folder.
func Write(files []txtar.File, dir string) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Data, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// Header reads lines "key: value". Lines that begin with # are comments.
func Header(text []byte) map[string]string {
	h := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		key, value, ok := strings.Cut(line, ": ")
		switch {
		case line == "" || line[0] == '#':
		case !ok:
			panic(fmt.Sprintf("%q is no line \"key: value\"", line))
		default:
			h[key] = value
		}
	}
	return h
}

// Table reads the rows of a TSV file, which has no header.
func Table(text []byte) (rows [][]string) {
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// Text is the text of a file without its last newline, which the format adds.
func Text(f txtar.File) string { return strings.TrimSuffix(string(f.Data), "\n") }
