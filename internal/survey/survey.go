// Package survey finds the targets in the source of a module that heapwright can
// measure, and writes them into a heapwright.toml. It only reads files: it builds
// nothing and needs no network.
package survey

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/config"
	"github.com/heapwright/heapwright/internal/input"
)

// Module is the result of a survey. Folders and files are slash-separated, relative
// to the module's root and begin with ".".
type Module struct {
	Root       string      `json:"root"`
	Path       string      `json:"path"`
	Benchmarks []Benchmark `json:"benchmarks,omitempty"` // sorted by folder
	Mains      []Main      `json:"mains,omitempty"`      // the likeliest target first
	Pprof      []string    `json:"pprof,omitempty"`      // FILE:LINE of each import of net/http/pprof
	Limits     []Limit     `json:"limits,omitempty"`     // sorted by file and line

	protos map[string]string // the .proto file of each gRPC service, by the service's name without its package
}

// Benchmark is a package with benchmarks.
type Benchmark struct {
	Dir   string `json:"dir"`
	Count int    `json:"count"` // functions; each may have sub-benchmarks
}

// Main is a main package.
type Main struct {
	Dir    string   `json:"dir"`
	Server string   `json:"server,omitempty"` // "HTTP" or "gRPC"; "" is a command that ends
	Args   []string `json:"args,omitempty"`   // arguments that let it listen on {port}; nil is unknown
	// Variable is the setting NAME={port} of the environment that lets it listen there,
	// where no argument does.
	Variable string `json:"variable,omitempty"`
	URL      string `json:"url,omitempty"` // "" is unknown
	// Routes are the paths that the source registers, in its order.
	Routes []Route `json:"routes,omitempty"`
	GRPC   string  `json:"grpc,omitempty"`  // a unary method, as package.Service/Method
	Proto  string  `json:"proto,omitempty"` // the file that describes it, where the server does not by reflection
}

// Limit is a memory limit in a manifest.
type Limit struct {
	Place string `json:"place"` // FILE:LINE
	Size  string `json:"size"`  // a flag's value, "512MiB"
}

// Root returns the root of the module that a folder is in.
func Root(dir string) (string, error) {
	root, err := config.ModuleRoot(dir)
	if err == nil && root == "" {
		err = fmt.Errorf("%s is not in a Go module: there is no go.mod in it or above.\n"+
			"Name the folder of a module with -C, or make one with go mod init.\n"+
			"A service that runs needs no module: heapwright diagnose http://localhost:6060", dir)
	}
	return root, err
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// Read surveys the module with this root.
func Read(root string) (*Module, error) {
	mod, err := input.ReadRegular(filepath.Join(root, "go.mod"), maxFile)
	if err != nil {
		return nil, err
	}
	m := &Module{Root: root, protos: map[string]string{}}
	if name := moduleLine.FindSubmatch(mod); name != nil {
		m.Path = string(name[1])
	}
	packages, err := m.scan()
	if err != nil {
		return nil, err
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		p := packages[dir]
		if p.benchmarks > 0 {
			m.Benchmarks = append(m.Benchmarks, Benchmark{dir, p.benchmarks})
		}
		if p.main {
			m.Mains = append(m.Mains, m.describe(dir, m.closure(dir, packages)))
		}
	}
	slices.SortStableFunc(m.Mains, func(a, b Main) int { return m.rank(a) - m.rank(b) })
	return m, nil
}

// closure returns a package and the packages of the module that it imports, directly or
// not.
func (m *Module) closure(dir string, packages map[string]*source) []*source {
	var all []*source
	seen := map[string]bool{dir: true}
	for next := []string{dir}; len(next) > 0; {
		dir, next = next[0], next[1:]
		p := packages[dir]
		all = append(all, p)
		for _, imported := range slices.Sorted(maps.Keys(p.imports)) {
			below, inside := strings.CutPrefix(imported, m.Path)
			inner := "." + below
			if inside && packages[inner] != nil && !seen[inner] {
				seen[inner] = true
				next = append(next, inner)
			}
		}
	}
	return all
}

// rank orders main packages: the higher it is, the less likely people want to
// measure the package.
func (m *Module) rank(p Main) int {
	rank := 0
	if p.Dir != "." && path.Base(p.Dir) != path.Base(m.Path) {
		rank++
	}
	if p.Server == "" {
		rank += 4
	} else if !p.ready() {
		rank += 2
	}
	if regexp.MustCompile(
		`(?i)/_?(examples?|samples?|demos?|tools?|scripts?|hack|internal|tests?|gen|generate|benchmarks?)(/|$)`).MatchString(p.Dir) {
		rank += 8
	}
	return rank
}
