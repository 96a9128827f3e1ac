package data

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Mark is a line of a Go file that matches a pattern.
type Mark struct {
	File   string // without its folder
	Line   int
	Groups []string // the match and its groups
}

func (m Mark) String() string { return fmt.Sprintf("%s:%d", m.File, m.Line) }

// Marked returns the lines of the Go files in a folder and those below it that match a pattern,
// of which there must be one.
func Marked(dir string, pattern *regexp.Regexp) (all []Mark, err error) {
	err = filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if groups := pattern.FindStringSubmatch(line); groups != nil {
				all = append(all, Mark{filepath.Base(name), i + 1, groups})
			}
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		return nil, fmt.Errorf("%s: no line matches %s", dir, pattern)
	}
	return all, err
}
