package experiment

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// Names of the files that an experiment keeps while it measures.
const (
	ResultsFile = "results.txt" // every run, appended as soon as it ended
	ReportFile  = "report.json" // the document, replaced after every block
)

// store is an experiment's folder on disk. After a crash or a Ctrl-C it holds
// everything that was measured.
type store struct {
	dir     string
	results *os.File
	writer  *sample.Writer
}

func (e *experiment) open(runs []sample.Run) (err error) {
	if e.scratch, err = result.Scratch(); err != nil {
		return err
	}
	e.cleanup = append(e.cleanup, func() { os.RemoveAll(e.scratch) })
	if e.plan.Place != Same { // copies are started there
		if err := process.CheckStart(e.scratch); err != nil {
			return err
		}
	}
	if err := result.MakeRoom(e.plan.OutDir, "-o"); err != nil {
		return err
	}
	e.before = e.doc.Modes
	e.doc.Untimed, e.doc.Warnings = nil, nil // found again
	e.doc.Runs, e.doc.Blocks = runs, 0
	for _, r := range runs {
		e.doc.Blocks = max(e.doc.Blocks, r.Block)
	}
	if e.doc.Plan, err = e.plan.record(); err != nil {
		return err
	}
	e.doc.Target = e.plan.Target.String()
	e.doc.Baseline = e.plan.Modes[0].Name
	e.doc.Seed = e.plan.Seed
	return nil
}

// keep begins to write, just before the first block: until then an earlier
// experiment in the folder stays as it is. The document goes first. Whenever the
// process ends, the runs on disk belong to the document beside them, or the document
// has no block that they could belong to.
func (e *experiment) keep() error {
	s := store{dir: e.plan.OutDir}
	if err := s.save(e.doc); err != nil {
		return err
	}
	var err error
	if e.store, err = openStore(s.dir, e.doc.Machine, len(e.doc.Runs) > 0); err != nil {
		return err
	}
	e.cleanup = append(e.cleanup, func() { e.store.results.Close() })
	return nil
}

// openStore opens the results file: empty or, when an experiment continues, to
// append. Earlier measurements are never rewritten, so they cannot be lost.
func openStore(dir string, m result.Machine, goOn bool) (*store, error) {
	file := filepath.Join(dir, ResultsFile)
	f, err := openResults(file, goOn)
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w; give another with -o", err)
	}
	return &store{dir: dir, results: f, writer: sample.NewWriter(f, environment(m))}, nil
}

// openResults follows no link, which may have come with somebody else's repository.
func openResults(file string, goOn bool) (*os.File, error) {
	info, err := os.Lstat(file)
	switch {
	case err == nil && goOn && info.Mode().IsRegular():
		return os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	case err == nil && goOn:
		return nil, fmt.Errorf("%s is not a regular file", file)
	case err == nil:
		err = os.Remove(file)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
}

// environment is the head of a results file.
func environment(m result.Machine) [][2]string {
	env := [][2]string{{"goos", m.OS}, {"goarch", m.Arch}}
	if m.CPU != "" {
		env = append(env, [2]string{"cpu", m.CPU})
	}
	return env
}

func (s *store) add(r sample.Run) error {
	if err := s.writer.Write(r); err != nil {
		return fmt.Errorf("writing the measurements: %w; free some space and continue with -resume", err)
	}
	return nil
}

func (s *store) save(doc *result.Document) error {
	if err := result.Save(filepath.Join(s.dir, ReportFile), doc); err != nil {
		return fmt.Errorf("writing the measurements: %w; free some space and continue with -resume", err)
	}
	return nil
}

// WriteResults writes a document's runs for benchstat, unless they are there: a
// file that an experiment wrote while it measured is the truth and stays untouched.
func WriteResults(dir string, doc *result.Document) error {
	file := filepath.Join(dir, ResultsFile)
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := result.Make(dir); err != nil {
		return err
	}
	return result.Replace(file, func(w io.Writer) error {
		out := sample.NewWriter(w, environment(doc.Machine))
		for _, r := range doc.Runs {
			if err := out.Write(r); err != nil {
				return err
			}
		}
		return nil
	})
}
