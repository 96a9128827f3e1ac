package flame

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

// Source returns the text of a file as a profile names it, and false where it
// is not at hand.
type Source func(file string) (text string, ok bool)

// sourceSuffixes are the kinds of file that Files reads. A profile may name any file
// of this machine, and its text ends up in a page that people send around.
var sourceSuffixes = []string{".go", ".s", ".c", ".cc", ".cpp", ".h", ".hpp", ".rs", ".py",
	".java", ".js", ".ts", ".rb"}

// maxSource is the size above which a file is no source that somebody wrote.
const maxSource = 8 << 20

// Files returns source from files: below dir, by as much of the end of their
// path as is found there, else where the profile says that they are. dir may be
// "". Only regular files with the name of a source are read, and below dir no
// link leads out of it.
func Files(dir string) Source {
	return func(file string) (string, bool) {
		if len(file) > input.LongestName || !slices.Contains(sourceSuffixes, path.Ext(file)) {
			return "", false
		}
		if text, ok := readBelow(dir, file); ok {
			return text, true
		}
		// Two slashes at the start are another machine's file on Windows.
		if !filepath.IsAbs(file) || strings.HasPrefix(strings.ReplaceAll(file, `\`, "/"), "//") {
			return "", false
		}
		f, err := openRegular(file, os.Stat, os.Open)
		if err != nil {
			return "", false
		}
		return read(f)
	}
}

func readBelow(dir, file string) (string, bool) {
	if dir == "" {
		return "", false
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", false
	}
	defer root.Close()
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	for i := range parts {
		name := path.Join(parts[i:]...)
		if !fs.ValidPath(name) {
			continue
		}
		if f, err := openRegular(filepath.FromSlash(name), root.Stat, root.Open); err == nil {
			return read(f)
		}
	}
	return "", false
}

// openRegular asks before it opens: opening a pipe would wait for a writer.
func openRegular(name string, stat func(string) (fs.FileInfo, error),
	open func(string) (*os.File, error)) (*os.File, error) {
	info, err := stat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSource) {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return open(name)
}

func read(f *os.File) (string, bool) {
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSource))
	return string(text), err == nil
}
