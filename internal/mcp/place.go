package mcp

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/config"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/target"
)

// place is what a call measures.
type place struct {
	Dir      string   `json:"dir,omitempty" jsonschema:"folder below the server's (default: the server's)"`
	Packages []string `json:"packages,omitempty" jsonschema:"packages below dir, such as ./codec (default: all)"`
	Bench    string   `json:"bench,omitempty" jsonschema:"regular expression of benchmarks (default: all)"`
}

// everything is the pattern of all packages.
const everything = "./..."

// resolve returns the folder, absolute, and the target of a call.
func (s *server) resolve(p place) (dir string, t target.Target, err error) {
	if dir, err = s.folder(p.Dir); err != nil {
		return "", nil, err
	}
	if _, err := regexp.Compile(p.Bench); err != nil {
		return "", nil, fmt.Errorf("bench: %w; write a regular expression such as ^BenchmarkDecode$", err)
	}
	if p.Dir == "" && len(p.Packages) == 0 && p.Bench == "" && s.Target != nil {
		return dir, s.Target, nil
	}
	names := p.Packages
	if len(names) == 0 {
		names = []string{everything}
	}
	for _, name := range names {
		if err := below(dir, name); err != nil {
			return "", nil, err
		}
	}
	return dir, &target.Packages{Names: names, Bench: p.Bench}, nil
}

// folder returns a folder below the server's.
func (s *server) folder(name string) (string, error) {
	outside := fmt.Errorf("dir %q is outside of the server's folder %s; give a folder below it, or start another "+
		"server there", name, s.Root)
	if filepath.IsAbs(name) {
		below, err := filepath.Rel(s.Root, name)
		if err != nil {
			return "", outside
		}
		name = below
	}
	name = filepath.Clean(name)
	if !filepath.IsLocal(name) || input.LeadsOut(s.Root, name) != nil {
		return "", outside
	}
	dir := filepath.Join(s.Root, name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("dir %q: there is no such folder below %s", name, s.Root)
	}
	return dir, config.CheckModule(dir)
}

// below refuses a package pattern that leads out of a folder, or that the go command would
// take for anything but a path.
func below(dir, pattern string) error {
	if pattern != "." && !strings.HasPrefix(pattern, "./") {
		return fmt.Errorf("packages: %q does not begin with ./: write a path such as ./codec, or ./... for all packages", pattern)
	}
	folder, _, several := strings.Cut(pattern, "...")
	if several {
		folder = path.Dir(folder)
	}
	folder = filepath.FromSlash(path.Clean(folder))
	up := slices.Contains(strings.Split(pattern, "/"), "..")
	if up || !filepath.IsLocal(folder) || input.LeadsOut(dir, folder) != nil {
		return fmt.Errorf("packages: %q is outside of %s; give the folder of its module as dir", pattern, dir)
	}
	if info, err := os.Stat(filepath.Join(dir, folder)); err != nil || !info.IsDir() {
		return fmt.Errorf("packages: %q: there is no folder %s", pattern, filepath.Join(dir, folder))
	}
	return nil
}

// module returns the folder of the module that a folder is in, or of the workspace above its
// modules.
func module(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		for _, name := range []string{"go.mod", "go.work"} {
			if info, err := os.Stat(filepath.Join(at, name)); err == nil && info.Mode().IsRegular() {
				return at, nil
			}
		}
		if at == filepath.Dir(at) {
			return "", errors.New(dir + " is in no Go module; give the folder of one as dir, or run go mod init there")
		}
	}
}
