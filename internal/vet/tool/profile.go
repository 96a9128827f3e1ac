package tool

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/token"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/vet/view"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

// profiles are the profiles of -profile. The go command starts the tool in the folder of
// each package and keeps its results by the text of the flags, so the files'
// paths are absolute and their hash is a flag too.
type profiles struct {
	unit        *unit
	files, hash string
	read        func() *weight.Profiles
}

func newProfiles(u *unit) *profiles {
	p := &profiles{unit: u}
	p.read = sync.OnceValue(p.mustOpen)
	return p
}

// mustOpen ends the tool if the profiles cannot be read. It is called once, since many
// checks run at once and the message is to be written once.
func (p *profiles) mustOpen() *weight.Profiles {
	read, err := p.open()
	if err != nil {
		// The go command shows the error of a check only once, because it keeps
		// the facts before it sees the error (Go 1.26, (*Builder).vet). If a tool
		// ends without facts, the go command keeps nothing.
		if p.unit.VetxOnly {
			os.Exit(0) // the runs on named packages report the error
		}
		log.Fatal(err)
	}
	return read
}

func (p *profiles) open() (*weight.Profiles, error) {
	h := sha256.New()
	files := strings.Split(p.files, ",")
	for _, file := range files {
		if !filepath.IsAbs(file) {
			return nil, fmt.Errorf("-profile %s: the go command runs the tool in the folder of each package; give an absolute path, or use heapwright vet -profile", file)
		}
		f, err := input.OpenRegular(file) // it is read twice
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	if sum := hex.EncodeToString(h.Sum(nil))[:16]; sum != p.hash {
		return nil, fmt.Errorf("the go command keeps results by flags, not by the contents of files: add -profile-hash=%s, or use heapwright vet -profile", sum)
	}
	return weight.Read(files, profile.Options{})
}

// keepExpensive drops the reports on lines that cost too little in the profiles.
// Without -profile it keeps all.
func (p *profiles) keepExpensive(c check.Check) {
	run := c.Run
	c.Analyzer.Run = func(pass *analysis.Pass) (any, error) {
		if p.files == "" {
			return run(pass)
		}
		read := p.read()
		pkg := weight.Package{Main: pass.Pkg.Name() == "main"}
		for _, f := range pass.Files {
			pkg.Files = append(pkg.Files, pass.Fset.File(f.FileStart).Name())
		}
		lines := read.Locate(map[string]weight.Package{pass.Pkg.Path(): pkg})
		report := pass.Report
		pass.Report = func(d analysis.Diagnostic) {
			ranges := []weight.Range{linesOf(pass.Fset, d.Pos, d.End)}
			for _, rel := range d.Related {
				ranges = append(ranges, linesOf(pass.Fset, rel.Pos, rel.End))
			}
			if costs := lines.Costs(ranges...); len(costs) > 0 && (c.Kind != check.Retention || weight.Lives(costs)) {
				d.Message += view.Costs(costs)
				report(d)
			}
		}
		return run(pass)
	}
}

func linesOf(fset *token.FileSet, pos, end token.Pos) weight.Range {
	from, to := fset.Position(pos), fset.Position(end)
	return weight.Range{File: from.Filename, First: from.Line, Last: max(from.Line, to.Line)}
}
